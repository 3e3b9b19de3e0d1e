#!/bin/sh
# Builds the static site: the page, with the library as WebAssembly in place of the server.
#   crates/ludex-wasm/build.sh FOLDER
# It needs `rustup target add wasm32-unknown-unknown`. Serve the folder with any server of files.
set -eu
cd "$(dirname "$0")"
site=${1:?usage: build.sh FOLDER}
case $site in /*) ;; *) site=$OLDPWD/$site ;; esac
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
RUSTFLAGS="-C target-feature=+simd128" cargo build --release -p ludex-wasm --target wasm32-unknown-unknown
mkdir -p "$site"
if [ -d ../ludex-page/assets ]; then cp ../ludex-page/assets/* "$site"; fi
cp assets/api.js assets/worker.js "$site"
cp "$target/wasm32-unknown-unknown/release/ludex_wasm.wasm" "$site/ludex.wasm"
ls -l "$site/ludex.wasm"
