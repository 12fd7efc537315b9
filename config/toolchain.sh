# Sourced by the scripts at the top: finds a JDK 17+ and Maven, or says in one line what to install.
# Where it runs as root with CI=true, or with INSTALL=1, it installs what is missing by apt.

may_install() { [ "$(id -u)" = 0 ] && { [ "${CI:-}" = true ] || [ "${INSTALL:-0}" = 1 ]; } && command -v apt-get >/dev/null; }

apt_updated=
apt_install() {
  if [ -z "$apt_updated" ]; then apt-get update -qq >/dev/null 2>&1 || true; apt_updated=1; fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

# java_major JAVA: its version, from the file beside it where there is one, since starting Java takes longer than commands may.
java_major() {
  local line java; java=$(command -v "$1") || return 0
  java=$(readlink -f "$java")
  if [ -f "${java%/bin/java}/release" ]; then
    while IFS= read -r line; do
      case "$line" in JAVA_VERSION=\"*) line=${line#*\"}; line=${line%%[!0-9]*}; [ "$line" = "" ] || { echo "$line"; return; } ;; esac
    done <"${java%/bin/java}/release"
  fi
  "$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -1
}

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

class_path() { command_jars "$1"; local IFS=:; echo "${jars[*]}"; } # class_path ROOT: of the command, jars alone

# command_jars ROOT: sets jars to the class path of the command. (The list of its dependencies has no line end at its end.)
command_jars() {
  local list; IFS= read -r list <"$1/cli/target/classpath.txt" || true
  IFS=: read -r -a jars <<<"$list"
  jars=("$1"/cli/target/peregrine-cli-*.jar "${jars[@]}")
}

# stale ROOT: whether the command is not built, or a source is newer than the jar of its module.
stale() {
  local jar jars modules=() start
  [ -f "$1/cli/target/classpath.txt" ] || return 0
  command_jars "$1"
  for jar in "${jars[@]}"; do
    [ -f "$jar" ] || return 0
    case "$jar" in */target/*) modules+=("${jar%/target/*}") ;; esac
  done
  # One look at all modules is enough where nothing changed since the last one.
  if [ -f "$1/cli/target/fresh" ] &&
    [ -z "$(find "${jars[@]}" "${modules[@]/%//src/main}" -newer "$1/cli/target/fresh" -print -quit)" ]; then
    return 1
  fi
  start=$(mktemp)
  for jar in "${jars[@]}"; do
    case "$jar" in */target/*) ;; *) continue ;; esac
    [ -z "$(find "${jar%/target/*}/src/main" -type f -newer "$jar" -print -quit)" ] || { rm -f "$start"; return 0; }
  done
  mv -f "$start" "$1/cli/target/fresh" 2>/dev/null || rm -f "$start"
  return 1
}

# command_flags ROOT COMMAND: sets java and flags, with which the command is started, from an archive of classes. One that ends
# soon uses one compiler; others are compiled by both.
command_flags() {
  local line version= runtime= jars home
  java=$(readlink -f "$(command -v "${JAVA_HOME:+$JAVA_HOME/bin/}java")")
  home="${java%/bin/java}"
  if [ -f "$home/release" ]; then
    while IFS= read -r line; do
      case "$line" in
        JAVA_VERSION=*) version=${line#*\"} version=${version%%[!0-9]*} ;;
        JAVA_RUNTIME_VERSION=*) runtime=${line#*=} runtime=${runtime//[^A-Za-z0-9.+_-]/} ;;
      esac
    done <"$home/release"
  fi
  command_jars "$1"
  # Standard output is for what a command prints: a warning of Java in it breaks --json.
  flags=(-Djava.awt.headless=true -Xlog:disable -Xlog:all=warning:stderr)
  # What Aeron needs to work on memory; commands that do not need it start faster without.
  case "$2" in
    stream | record | publish | subscribe | archive) flags+=(--add-exports java.base/jdk.internal.misc=ALL-UNNAMED) ;;
    *) [ ! -f distribution.properties ] || flags+=(--add-exports java.base/jdk.internal.misc=ALL-UNNAMED) ;;
  esac
  [ "${version:-$(java_major "$java")}" -lt 22 ] || flags+=(--enable-native-access=ALL-UNNAMED)
  case "$2" in
    stream | record | replay | publish | subscribe | archive | pvaccess | events | camera | gendc | doctor | browser)
      # Compiled code in few pages: frames come earlier (docs/latency.md). Java warns where the system has no huge pages.
      { read -r line </sys/kernel/mm/transparent_hugepage/enabled; } 2>/dev/null && [[ $line != *"[never]"* ]] &&
        flags+=(-XX:+UseTransparentHugePages) ;;
    *) flags+=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn48m) ;;
  esac
  [ -z "$runtime" ] || archive_flags "$1" "$1/cli/target/peregrine-$runtime.jsa"
  local IFS=:
  flags+=(-cp "${jars[*]}")
}

# archive_flags ROOT ARCHIVE: adds to flags an archive of classes. Makes it where there is none for this JDK and these jars;
# without one, for example in a folder that cannot be written, commands start more slowly.
archive_flags() {
  local made="$2.$$"
  if ! archive_fits "$2"; then
    [ -w "$1/cli/target" ] || return 0
    # Where it cannot be made, or is of no use, an empty file says so until the jars change.
    (IFS=: && class_path="${jars[*]}" && common=(-XX:+UseSerialGC -Xlog:disable -cp "$class_path") &&
      "$java" "-XX:ArchiveClassesAtExit=$made" "${common[@]}" io.peregrine.cli.StartupClasses &&
      "$java" "-XX:SharedArchiveFile=$made" "${common[@]}" io.peregrine.cli.PeregrineMain --version) >/dev/null 2>&1 ||
      { rm -f "$made" && : >"$made"; } 2>/dev/null || return 0
    mv -f "$made" "$2" 2>/dev/null || { rm -f "$made"; return 0; }
  fi
  [ ! -s "$2" ] || flags+=("-XX:SharedArchiveFile=$2" -Xshare:auto "-Xlog:cds*=off:stderr" -Xlog:class+path=off:stderr)
}

# archive_fits ARCHIVE: whether it is there, and newer than the JDK and the jars.
archive_fits() {
  local jar
  [ -f "$1" ] && [ "$1" -nt "$java" ] || return 1
  for jar in "${jars[@]}"; do [ "$1" -nt "$jar" ] || return 1; done
}

# other_user ROOT: ends where another user built the command and this one can neither read all of it nor build it.
other_user() {
  [ -f "$1/cli/target/classpath.txt" ] && [ ! -w "$1/cli/target" ] || return 0
  local jar jars; command_jars "$1"
  for jar in "${jars[@]}"; do
    [ -r "$jar" ] && continue
    echo "peregrine: $(stat -c %U "$1/cli/target" 2>/dev/null || echo another user) built it here, with $jar, which $(id -un 2>/dev/null || id -u) cannot read:" \
      "copy the sources and build there" >&2
    exit 1
  done
}

# build_command ROOT: builds the command where that is needed, with a line for each module.
build_command() {
  stale "$1" || return 0
  other_user "$1"
  need_toolchain
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
