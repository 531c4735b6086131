# SPDX-License-Identifier: Apache-2.0
# Tests the package of python/ in a virtual environment in build/python, and finds a Python for the study. Sourced by
# dev for test and study.

# Prints the Python that ./dev study runs with: the first that has what the package of python/ and its plots need. It
# installs nothing; without one the study says what to install.
python_of_study() {
  local python
  for python in python3 "$root/build/venv/bin/python" "$root/build/python/genesys_trace/bin/python"; do
    if timeout 60 "$python" -c 'import pandas, matplotlib' >/dev/null 2>&1; then
      printf '%s\n' "$python"
      return
    fi
  done
  printf 'python3\n'
}

# test_python PROGRAMS: also with recordings of the programs in this folder. It is skipped if the libraries cannot be
# had from PyPI. --full tests the pages in a browser, too, if there is Debian's chromium.
test_python() {
  local python libraries='setuptools wheel numpy pandas matplotlib plotly'
  # shellcheck disable=SC2086  # each word is a package
  if ! python=$(python_with genesys_trace $libraries ${full:+playwright pyarrow}); then
    printf '== The reader in Python\n   0 passed, 0 failed, 1 skipped: %s\n' \
      "no environment with $libraries: PyPI cannot be reached, or python3 has no venv"
    skipped=$((skipped + 1))
    return
  fi
  # The package itself, without PyPI; pip compares what it needs with what is there.
  step "The reader in Python can be installed" check 120 bash -c \
    '"$0" -m pip install --quiet --no-build-isolation --no-deps --force-reinstall "$1" && "$0" -m pip check' \
    "$python" "$root/python" || return 0
  [ -n "$full" ] || return 0  # a minute
  GENESYS_PROGRAMS=$1 step "The reader in Python" unittest 600 "$python" -m unittest discover -v -s python/tests || true
}
