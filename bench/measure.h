// SPDX-License-Identifier: Apache-2.0
// What every bench needs: time, the median, and its figures once more as JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace measure {

using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// The figures so far, by name.
class figures {
 public:
  void keep(const std::string& name, double value) {
    char text[128];
    std::snprintf(text, sizeof text, "%s\"%s\": %.6g", json_.size() > 1 ? ", " : "", name.c_str(), value);
    json_ += text;
  }
  // False: the file cannot be written. Null: nobody asked for one.
  bool write(const char* file) const {
    if (file == nullptr) return true;
    std::FILE* out = std::fopen(file, "w");
    if (out == nullptr) return false;
    const bool whole = std::fprintf(out, "%s}\n", json_.c_str()) > 0;
    return std::fclose(out) == 0 && whole;
  }

 private:
  std::string json_ = "{";
};

}  // namespace measure
