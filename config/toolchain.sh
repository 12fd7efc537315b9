# Sourced by the scripts at the top: finds a JDK 17+ and Maven, or says in one line what to install.
# Where it runs as root with CI=true, or with INSTALL=1, it installs what is missing by apt.

may_install() { [ "$(id -u)" = 0 ] && { [ "${CI:-}" = true ] || [ "${INSTALL:-0}" = 1 ]; } && command -v apt-get >/dev/null; }

apt_updated=
apt_install() {
  if [ -z "$apt_updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; apt_updated=1; fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

java_major() { "$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -1; }

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
