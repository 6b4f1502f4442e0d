#include "core/settings.hpp"

#include "c/guard.hpp"
#include "core/env.hpp"
#include "core/error.hpp"
#include "gpuarr/settings.h"

using namespace gpuarr;

gpuarr_status gpuarr_settings_list(gpuarr_setting_visitor visitor, void* user) {
  return guard(__func__, [&] {
    if (visitor == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "visitor is NULL; give a function that gets the settings");
    for (const Setting& s : settings()) {
      const auto value = env(s.name);
      const std::string problem = value ? setting_problem(s, *value) : "";
      if (visitor(user, s.name, value ? value->c_str() : s.otherwise, value ? 1 : 0, s.meaning,
                  problem.c_str()) != 0)
        return;
    }
  });
}
