#!/usr/bin/env bash
# Downloads what tests/gpu.sh needs and a GPU machine without a network lacks, into .carry/.
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/support/debian.sh"
mkdir -p .carry
cd .carry
apt-get download libcmocka0 libcmocka-dev libfmt-dev libxxhash-dev nlohmann-json3-dev
ls -l
