# SPDX-License-Identifier: Apache-2.0
# The virtual environment in build/python, in which the package of python/ is installed and tested. Sourced by dev for
# test.

python_place=$root/build/python

# Whether PyPI, or the mirror that pip is set up for, can be reached: it gives one small package.
reaches_pypi() {
  timeout 60 "$python_place/bin/pip" download --quiet --no-deps --no-cache-dir --retries 1 --timeout 10 \
    --dest "$python_place/reached" setuptools >/dev/null 2>&1
}

# python_environment: makes or renews the environment. 0: it has the package; 2: it cannot be made here, and a line says
# why; 1: the package cannot be installed, and the log says why. --full installs what only some tests need.
python_environment() {
  local log=$logs/python-environment.log
  mkdir -p "$logs"
  if [ ! -x "$python_place/bin/pip" ] && ! python3 -m venv --clear "$python_place" >"$log" 2>&1; then
    echo "   skipped: python3 makes no virtual environment (Debian: python3-venv)"
    return 2
  fi
  if ! reaches_pypi; then
    echo "   skipped: PyPI cannot be reached, so numpy, pandas, matplotlib and plotly cannot be installed"
    return 2
  fi
  if timeout 900 "$python_place/bin/pip" install --quiet --upgrade "$root/python[plot]" \
    ${full:+playwright pyarrow} >"$log" 2>&1; then
    return 0
  fi
  if ! reaches_pypi; then
    echo "   skipped: PyPI can no longer be reached"
    return 2
  fi
  tail -n 50 "$log"
  return 1
}

# test_python PROGRAMS: tests the package, also with recordings of the programs in this folder. Without a network it is
# skipped. --full tests the pages in a browser too, if there is chromium.
test_python() {
  local status=0
  echo "== Setting up the reader in Python (build/python)"
  python_environment || status=$?
  case $status in
    0)
      GENESYS_PROGRAMS=$1 step "The reader in Python" unittest 600 "$python_place/bin/python" -m unittest discover -v \
        -s python/tests || true
      ;;
    1)
      failed=$((failed + 1))
      failures+=("The reader in Python: it cannot be installed; the whole output is in build/logs/")
      ;;
    *) skipped=$((skipped + 1)) ;;
  esac
}
