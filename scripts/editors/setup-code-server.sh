#!/usr/bin/env bash
# Install the VS Code that the editor tests run in (code-server, pinned by code-server/package-lock.json) and the driver's
# playwright-core into `.e2e/` of the checkout. Needs only the npm registry, a C compiler and Node's headers.
# It installs no system package: chromium and ripgrep come from the distribution (Debian: apt-get install -y
# --no-install-recommends chromium fonts-noto-cjk ripgrep). A second run with the same pins does nothing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$here/../.." && pwd)
cache=${OMOIDE_E2E_DIR:-$checkout/.e2e}
driver=$checkout/tests/editors/vscode
home=$cache/code-server
stamp=$home/.installed
pins=$(cat "$here/code-server/package-lock.json" "${BASH_SOURCE[0]}" | sha256sum | cut -d' ' -f1)

npm_quiet() { npm "$@" --no-audit --no-fund --loglevel=error; }

install_code_server() {
  rm -rf "$home"
  mkdir -p "$home"
  cp "$here/code-server/package.json" "$here/code-server/package-lock.json" "$here/code-server/.npmrc" "$home/"
  # Install scripts are skipped: they build a terminal and fetch ripgrep from the network, which the tests never use.
  (cd "$home" && npm_quiet ci --ignore-scripts)
  local vscode=$home/node_modules/code-server/lib/vscode
  (cd "$vscode" && npm_quiet install --ignore-scripts --omit=dev)
  ln -sfn node_modules "$vscode/node_modules.asar"
  mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
  ln -sf "$(command -v rg || echo /usr/bin/rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"
  # argon2 is the one native module that code-server loads at start. Node's own headers spare node-gyp a download.
  local prefix
  prefix=$(cd "$(dirname "$(readlink -f "$(command -v node)")")/.." && pwd)
  if [ -e "$prefix/include/node/node.h" ]; then
    export npm_config_nodedir=$prefix
  fi
  (cd "$home" && npm_quiet rebuild argon2)
  XDG_CONFIG_HOME=$home/config "$home/node_modules/.bin/code-server" --version
  echo "$pins" > "$stamp"
}

if [ "$(cat "$stamp" 2>/dev/null || true)" != "$pins" ]; then
  install_code_server
fi
if [ ! -e "$driver/node_modules/.package-lock.json" ] || [ "$driver/package-lock.json" -nt "$driver/node_modules/.package-lock.json" ]; then
  (cd "$driver" && npm_quiet ci --ignore-scripts)
fi
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
  echo "setup-code-server: no chromium on PATH; the VS Code tests need one (Debian: apt-get install chromium)." >&2
