# SPDX-License-Identifier: Apache-2.0
# Runs test programs one after another, or one beside others, and sums up their test cases. Sourced by dev for test and
# gpu-test.
#
# A step has a time limit. Its whole output goes to build/logs/. Failed cases are shown, passed ones only counted. The
# kind of a step says how to count its cases:
#   gtest     a GoogleTest binary: each test is a case; a crash or a timeout is one more failure
#   unittest  a Python unittest: the same
#   counts    the program prints 'N passed, N failed' (', N skipped' may follow) in its last lines
#   check     the exit status is the only case

passed=0 failed=0 skipped=0
failures=()
logs=$root/build/logs
step_child=
beside_child=
shown_lines_max=400

# After an interrupt: ends the running step, too (timeout passes the signal to its processes).
stop_step() {
  trap - INT TERM
  [ -z "$step_child" ] || kill "$step_child" 2>/dev/null
  [ -z "$beside_child" ] || kill "$beside_child" 2>/dev/null
  echo "dev: interrupted" >&2
  exit 130
}

seconds() { printf '%d.%d s' $(($1 / 10)) $(($1 % 10)); }
tenths_now() { echo $(($(date +%s%N) / 100000000)); }

# step HEADING KIND TIMEOUT_S COMMAND...: runs a step, and returns 0 if all its cases passed.
step() {
  local heading=$1 kind=$2 limit_s=$3 started status=0
  shift 3
  mkdir -p "$logs"
  echo "== $heading"
  started=$(tenths_now)
  timeout -k 10 "$limit_s" "$@" >"$(log_of "$heading")" 2>&1 </dev/null &
  step_child=$!
  wait "$step_child" 2>/dev/null || status=$?
  step_child=
  count_up "$heading" "$kind" "$limit_s" "$status" $(($(tenths_now) - started))
}

# beside HEADING KIND TIMEOUT_S COMMAND...: begins a step that runs beside the next ones, until join_beside. For a step
# that is busy on one CPU. One at a time runs beside others. With --full, or on one CPU, it is an ordinary step.
beside() {
  join_beside
  if [ -n "$full" ] || [ "$jobs_max" -eq 1 ]; then
    step "$@" || true
    return
  fi
  beside_heading=$1 beside_kind=$2 beside_limit_s=$3
  shift 3
  mkdir -p "$logs"
  beside_started=$(tenths_now)
  timeout -k 10 "$beside_limit_s" "$@" >"$(log_of "$beside_heading")" 2>&1 </dev/null &
  beside_child=$!
}

# Waits for the step that runs beside others, if there is one, and counts its cases. Its last words tell when it ended.
join_beside() {
  local status=0 ended
  [ -n "$beside_child" ] || return 0
  wait "$beside_child" 2>/dev/null || status=$?
  beside_child=
  ended=$(($(date -r "$(log_of "$beside_heading")" +%s%N) / 100000000))
  echo "== $beside_heading, beside others"
  count_up "$beside_heading" "$beside_kind" "$beside_limit_s" "$status" $((ended - beside_started)) || true
}

log_of() { printf '%s' "$logs/$(printf '%s' "$1" | tr -cs 'A-Za-z0-9' '-').log"; }

# count_up HEADING KIND TIMEOUT_S STATUS TENTHS: counts the cases of a step that has ended, shows those that failed, and
# returns 0 if all passed.
count_up() {
  local heading=$1 kind=$2 limit_s=$3 status=$4 tenths=$5 log good=0 bad=0 passed_over=0
  log=$(log_of "$heading")
  "count_$kind" "$log" "$status"
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  if [ "$bad" -gt 0 ]; then
    "show_$kind" "$log" | tail -n "$shown_lines_max"
    [ "$status" -ne 124 ] && [ "$status" -ne 137 ] || echo "   stopped: it ran longer than $limit_s s, or was killed"
    [ "$status" -lt 128 ] || echo "   ended by signal $((status - 128))"
    failures+=("$heading: $bad failed; the whole output is in ${log#"$root"/}")
  fi
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + passed_over))
  printf '   %d passed, %d failed' "$good" "$bad"
  [ "$passed_over" -eq 0 ] || printf ', %d skipped' "$passed_over"
  printf ' (%s)\n' "$(seconds "$tenths")"
  [ "$bad" -eq 0 ]
}

# The count_ functions set good, bad and passed_over of count_up().
matches() { grep -cE "$2" "$1" || true; }

count_gtest() {
  good=$(matches "$1" '\[       OK \] .*\([0-9]+ ms\)')
  bad=$(matches "$1" '\[  FAILED  \] .*\([0-9]+ ms\)')
  passed_over=$(matches "$1" '\[  SKIPPED \] .*\([0-9]+ ms\)')
}

count_unittest() {
  local ran failures errors
  ran=$(sed -nE 's/^Ran ([0-9]+) tests?.*/\1/p' "$1" | tail -n 1)
  failures=$(sed -nE 's/^FAILED .*failures=([0-9]+).*/\1/p' "$1" | tail -n 1)
  errors=$(sed -nE 's/^FAILED .*errors=([0-9]+).*/\1/p' "$1" | tail -n 1)
  passed_over=$(sed -nE 's/^(OK|FAILED) .*skipped=([0-9]+).*/\2/p' "$1" | tail -n 1)
  passed_over=${passed_over:-0}
  bad=$((${failures:-0} + ${errors:-0}))
  good=$((${ran:-0} - bad - passed_over))
  if [ "$good" -lt 0 ]; then good=0; fi
}

count_counts() {
  local line
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$1" | tail -n 1)
  if [ -z "$line" ]; then
    count_check "$@"
    return
  fi
  good=${line%% passed*}
  bad=${line#*passed, } bad=${bad%% failed*}
  case $line in *skipped) passed_over=${line#*failed, } passed_over=${passed_over%% skipped*} ;; esac
}

count_check() {
  if [ "$2" -eq 0 ]; then good=1; else bad=1; fi
}

# The show_ functions print the log of a failed step; of GoogleTest's only the tests that did not pass, and the lines
# outside of tests.
show_gtest() {
  awk '
    /\[ RUN      \] /                    { held = ""; inside = 1 }
    inside                               { held = held $0 "\n" }
    !inside && /\[(----------|==========|  PASSED  )\]|\] [0-9]+ tests?, listed|\] [^ ]*$|FAILED TEST/ { next }
    !inside && NF && !/^Running main/
    /\[(       OK |  SKIPPED )\] .* ms\)/ { held = ""; inside = 0 }
    /\[  FAILED  \] .* ms\)/             { printf "%s", held; held = ""; inside = 0 }
    END                                  { printf "%s", held }
  ' "$1"
}
show_unittest() { cat "$1"; }
show_counts() { cat "$1"; }
show_check() { cat "$1"; }

# build_step HEADING PRESET [TARGETS...]: builds. A build counts as a test case only if it fails.
build_step() {
  local heading=$1 preset=$2 started status=0 log
  shift 2
  mkdir -p "$logs"
  log=$logs/$(printf '%s' "$heading" | tr -cs 'A-Za-z0-9' '-').log
  : >"$log"
  echo "== $heading"
  started=$(tenths_now)
  configure "$preset" || status=1
  if [ "$status" -eq 0 ]; then
    timeout "$build_timeout_s" ninja -C "build/$preset" -j "$jobs_max" "$@" >"$log" 2>&1 </dev/null &
    step_child=$!
    wait "$step_child" || status=$?
    step_child=
  fi
  if [ "$status" -ne 0 ]; then
    tail -n 100 "$log"
    failed=$((failed + 1))
    failures+=("$heading: the build failed; the whole output is in ${log#"$root"/}")
  fi
  printf '   %s (%s)\n' "$([ "$status" -eq 0 ] && echo built || echo 'not built')" \
    "$(seconds $(($(tenths_now) - started)))"
  return "$status"
}

# Prints the last lines. Returns 1 if a case failed, or none ran.
sum_up() {
  local failure
  echo
  for failure in ${failures[@]+"${failures[@]}"}; do echo "failed: $failure"; done
  printf '%d passed, %d failed' "$passed" "$failed"
  [ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
  printf '\n'
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
