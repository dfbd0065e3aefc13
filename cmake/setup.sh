# SPDX-License-Identifier: MIT
#
# Steps that ./quickstart and ./check share; to be sourced by bash from the root of the tree.
#
#   install_packages      what cmake/packages.txt lists, by apt; nothing if all is there
#   install_grammar       tree-sitter's sources, by npm, in the versions of the lock file
#   install_mermaid       Mermaid, the same way, for the tests of diagrams
#   build_preset NAME     configure and build build/NAME; more arguments go to the configure step
#
# Each ends the script with a message that says what to do, if it cannot do its work.

step() {
    printf '\n==> %s\n' "$*"
}

give_up() {
    printf '\nerror: %s\n' "$1" >&2
    exit 1
}

# Packages of the list that are neither installed nor stood in for by a command.
missing_packages() {
    local package command
    while read -r package command; do
        case $package in '' | '#'*) continue ;; esac
        if [ -n "$command" ] && command -v "$command" >/dev/null; then
            continue
        fi
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            echo "$package"
        fi
    done <cmake/packages.txt
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        echo "This is no Debian system: please install what cmake/packages.txt lists by hand."
        return
    fi
    local missing as_root=()
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        return
    fi
    step "Installing packages:" $missing
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo)
        command -v sudo >/dev/null ||
            give_up "packages are missing; as root, run: apt-get install $(echo $missing)"
    fi
    "${as_root[@]}" apt-get update -q </dev/null ||
        give_up "apt-get update failed: see its messages above (no network?)"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends $missing </dev/null ||
        give_up "apt-get could not install all packages: see its messages above"
}

# install_npm FOLDER WHAT: what FOLDER/package-lock.json lists.
install_npm() {
    local folder=$1
    if [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ]; then
        return
    fi
    step "Fetching $2"
    (cd "$folder" && npm ci --loglevel=error </dev/null) ||
        give_up "npm could not fetch $2 (see above; is its registry reachable?). Run 'npm ci' in $folder, then start again."
}

install_grammar() {
    install_npm cmake/grammar "tree-sitter and its C grammar"
}

install_mermaid() {
    install_npm tests/graph/mermaid Mermaid
}

build_preset() {
    local preset=$1
    shift
    step "Building build/$preset"
    if command -v ninja >/dev/null; then
        export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    fi
    cmake --preset "$preset" "$@" >"build/$preset.configure.log" 2>&1 || {
        cat "build/$preset.configure.log" >&2
        give_up "configuring build/$preset failed: see above"
    }
    cmake --build --preset "$preset" --parallel "$(nproc)" ||
        give_up "building build/$preset failed: see above"
}

mkdir -p build
