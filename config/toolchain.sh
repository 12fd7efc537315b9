# Sourced by the scripts at the top: finds a JDK 17+ and Maven, or says in one line what to install.
# Where it runs as root with CI=true, or with INSTALL=1, it installs what is missing by apt.

may_install() { [ "$(id -u)" = 0 ] && { [ "${CI:-}" = true ] || [ "${INSTALL:-0}" = 1 ]; } && command -v apt-get >/dev/null; }

apt_updated=
apt_install() {
  if [ -z "$apt_updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; apt_updated=1; fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

java_major() { "$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -1; }

# The home of the newest JDK below /usr/lib/jvm, if it is newer than the one in use.
newest_jdk() {
  local home major newest= most; most=$(java_major "${JAVA_HOME:+$JAVA_HOME/bin/}java")
  for home in /usr/lib/jvm/*/; do
    [ -x "$home/bin/javac" ] || continue
    major=$(java_major "$home/bin/java")
    [ "${major:-0}" -le "$most" ] || { newest="${home%/}" most=$major; }
  done
  echo "$newest"
}

need_toolchain() {
  local javac="${JAVA_HOME:+$JAVA_HOME/bin/}javac" java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
  local major; major=$(command -v "$javac" >/dev/null && java_major "$java" || true)
  if [ "${major:-0}" -lt 17 ]; then
    if may_install; then apt_install openjdk-17-jdk-headless; else
      echo "A JDK of version 17 or newer is missing: install one (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME." >&2; exit 1
    fi
  fi
  if ! command -v mvn >/dev/null; then
    if may_install; then apt_install maven; fi
    command -v mvn >/dev/null || { echo "Maven 3.8.1 or newer is missing: install it (Debian: apt install maven)." >&2; exit 1; }
  fi
}

# The flag that newer Java versions want before a library may call native code.
native_access_flag() {
  local major; major=$(java_major "${JAVA_HOME:+$JAVA_HOME/bin/}java")
  [ "${major:-17}" -lt 22 ] || echo "--enable-native-access=ALL-UNNAMED"
}

class_path() { echo "$1/cli/target/classes:$(cat "$1/cli/target/classpath.txt")"; } # class_path ROOT: of the command

# stale ROOT: whether the command is not built, or a source is newer than the jar of its module. (The list of the class path
# has no line end at its end.)
stale() {
  local entry module
  [ -f "$1/cli/target/classpath.txt" ] || return 0
  while IFS= read -r entry; do
    [ -n "$entry" ] || continue
    [ -f "$entry" ] || return 0
    case "$entry" in */target/*) ;; *) continue ;; esac
    module="${entry%/target/*}"
    [ -z "$(find "$module/src/main" -type f -newer "$entry" -print -quit)" ] || return 0
  done < <(tr : '\n' <"$1/cli/target/classpath.txt"; echo; ls "$1"/cli/target/peregrine-cli-*.jar 2>/dev/null || echo missing)
  return 1
}

# build_command ROOT: builds the command where that is needed, with a line for each module.
build_command() {
  stale "$1" || return 0
  local log; log=$(mktemp)
  echo "building"
  if ! (cd "$1" && mvn -B -pl cli -am -Dmaven.test.skip=true -Dspotless.check.skip package 2>&1) | tee "$log" |
    sed -un 's/^\[INFO\] Building \(Peregrine [^ ]*\) .*/  \1/p; s/^\[INFO\] Downloading from [^:]*: .*\/\([^/]*\.jar\)$/    downloading \1/p'; then
    grep -m 40 '^\[ERROR\]' "$log" >&2 || tail -40 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
