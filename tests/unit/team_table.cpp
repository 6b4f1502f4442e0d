// Messages through functions of the user's: two and three threads as processes, and functions that
// fail.
#include <unistd.h>

#include <array>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "check.hpp"
#include "seed.hpp"
#include "team/transport/table.hpp"
#include "team_messages.hpp"

using namespace gpuarr;
using namespace gpuarr::team;

namespace {

// A post office: messages go when both sides have come.
struct Office {
  struct Letter {
    int from, to, tag;
    const void* out = nullptr;
    void* in = nullptr;
    int64_t bytes;
    bool over = false;
  };
  std::mutex mutex;
  std::deque<std::shared_ptr<Letter>> sent, wanted;  // that nobody met yet
  int failing = 0;                                   // what each function returns
  std::atomic<int> released{0}, aborted{0};
};

struct Desk {
  Office& office;
  int rank;
  std::vector<std::shared_ptr<Office::Letter>> mine;  // the user's own requests, never forgotten
};

void meet_letters(Office& office) {
  for (auto wanted = office.wanted.begin(); wanted != office.wanted.end();) {
    auto sent = std::find_if(office.sent.begin(), office.sent.end(), [&](const auto& letter) {
      return letter->from == (*wanted)->from && letter->to == (*wanted)->to &&
             letter->tag == (*wanted)->tag;
    });
    if (sent == office.sent.end()) {
      ++wanted;
      continue;
    }
    if ((*sent)->bytes > 0) std::memcpy((*wanted)->in, (*sent)->out, size_t((*sent)->bytes));
    (*sent)->over = (*wanted)->over = true;
    office.sent.erase(sent);
    wanted = office.wanted.erase(wanted);
  }
}

void* post(Desk& desk, Office::Letter letter) {
  auto made = std::make_shared<Office::Letter>(letter);
  (letter.in != nullptr ? desk.office.wanted : desk.office.sent).push_back(made);
  desk.mine.push_back(made);
  return made.get();
}

int32_t post_out(void** out, const void* data, int64_t bytes, int32_t to, int32_t tag, void* user) {
  Desk& desk = *static_cast<Desk*>(user);
  const std::lock_guard lock(desk.office.mutex);
  *out = post(desk, {desk.rank, to, tag, data, nullptr, bytes});
  return desk.office.failing;
}

int32_t post_in(void** out, void* data, int64_t bytes, int32_t from, int32_t tag, void* user) {
  static char nothing;
  Desk& desk = *static_cast<Desk*>(user);
  const std::lock_guard lock(desk.office.mutex);
  *out = post(desk, {from, desk.rank, tag, nullptr, bytes > 0 ? data : &nothing, bytes});
  return desk.office.failing;
}

int32_t is_over(int32_t* out, void* request, void* user) {
  Desk& desk = *static_cast<Desk*>(user);
  const std::lock_guard lock(desk.office.mutex);
  meet_letters(desk.office);
  *out = static_cast<Office::Letter*>(request)->over ? 1 : 0;
  return desk.office.failing;
}

int32_t look(int32_t* out, int32_t tag, void* user) {
  Desk& desk = *static_cast<Desk*>(user);
  const std::lock_guard lock(desk.office.mutex);
  *out = -1;
  for (const auto& letter : desk.office.sent)
    if (letter->to == desk.rank && letter->tag == tag) *out = letter->from;
  return desk.office.failing;
}

void release_desk(void* user) {
  auto* desk = static_cast<Desk*>(user);
  ++desk->office.released;
  delete desk;
}

void note_abort(int32_t code, void* user) { static_cast<Desk*>(user)->office.aborted = code; }

std::shared_ptr<TransportTable> table_of(Office& office, int rank, int size) {
  auto table = std::make_shared<TransportTable>(rank, size, post_out, post_in, is_over,
                                                new Desk{office, rank, {}});
  table->probe = look;
  table->abort = note_abort;
  table->release = release_desk;
  table->name = "the post office";
  return table;
}

void threads_as_processes(int size, uint64_t seed) {
  Office office;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        const auto table = table_of(office, rank, size);
        messages::all_of_it([&] { return table_transport(table); }, seed);
      } catch (const Error& error) {
        check::report(__FILE__, __LINE__) << error.what() << '\n';
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(office.released.load(), size);
}

void failures_are_told() {
  Office office;
  const auto transport = table_transport(table_of(office, 0, 2));
  CHECK_EQ(transport->description(), "the post office");
  CHECK_EQ(transport->fortran_handle(), -1);
  char byte = 0;
  int from = 0;
  Request before = transport->send(&byte, 1, 1, 2);
  office.failing = 42;
  CHECK_FAILS(GPUARR_ERR_PEER, "send of the post office returned 42, for 1 bytes to process 1",
              [&] { transport->send(&byte, 1, 1, 2); });
  CHECK_FAILS(GPUARR_ERR_PEER, "receive of the post office returned 42, for 1 bytes from process 1",
              [&] { transport->receive(&byte, 1, 1, 2); });
  CHECK_FAILS(GPUARR_ERR_PEER, "test of the post office returned 42",
              [&] { transport->test(before); });
  CHECK_FAILS(GPUARR_ERR_PEER, "probe of the post office returned 42",
              [&] { transport->probe(2, from); });
  try {
    transport->test(before);
  } catch (const Error& error) {
    CHECK_EQ(error.native(), 42);
  }
  office.failing = 0;
  transport->drop(before, nullptr);
  transport->abort(5);
  CHECK_EQ(office.aborted.load(), 5);
}

int32_t look_wrongly(int32_t* out, int32_t /*tag*/, void* /*user*/) {
  *out = 9;
  return 0;
}

void what_is_missing_does_nothing() {
  Office office;
  const auto table = table_of(office, 0, 2);
  table->probe = nullptr;
  table->abort = nullptr;
  const auto transport = table_transport(table);
  int from = 3;
  CHECK(!transport->probe(1, from));
  CHECK_EQ(from, 3);
  transport->abort(1);
  table->probe = look_wrongly;
  CHECK_FAILS(GPUARR_ERR_PEER, "found a message of process 9, of 2 processes",
              [&] { transport->probe(1, from); });
}

// 4096 teams later the first one's tags come again, and none is above what MPI has.
void tags_wrap() {
  CHECK_EQ(first_tag(0), 0);
  CHECK_EQ(first_tag(1), 8);
  CHECK_EQ(first_tag(4095) + Transport::most_tag, 32767);
  CHECK_EQ(first_tag(4096), 0);
  CHECK_EQ(first_tag(UINT32_MAX) + Transport::most_tag, 32767);
}

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  for (int size = 1; size <= 3; ++size) threads_as_processes(size, seed);
  failures_are_told();
  what_is_missing_does_nothing();
  tags_wrap();
  return check::result();
}
