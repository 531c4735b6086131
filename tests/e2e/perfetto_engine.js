// SPDX-License-Identifier: Apache-2.0
// Runs Perfetto's trace processor, as its UI has it (WebAssembly for a browser's worker), in node. perfetto_engine.py
// starts it. usage: node perfetto_engine.js FOLDER-OF-THE-UI. On standard input: its RPC messages, each with its length
// in front, in 4 bytes; on standard output: its replies.
"use strict";
const fs = require("fs");
const path = require("path");

const folder = process.argv[2];
const own = (url) => fs.readFileSync(path.join(folder, path.basename(String(url))));
const port = {postMessage: (bytes) => fs.writeSync(1, bytes), onmessage: null};

// What the engine expects of a browser's worker.
globalThis.self = globalThis;
globalThis.location = {href: "http://localhost/engine_bundle.js"};
globalThis.WorkerGlobalScope = function () {};
globalThis.fetch = async (url) => new Response(own(url), {headers: {"content-type": "application/wasm"}});
globalThis.XMLHttpRequest = class {
  open(method, url) { this.url = url; }
  send() { this.response = new Uint8Array(own(this.url)).buffer; }
};
for (const name of ["log", "info", "warn"]) console[name] = console.error;

const node = globalThis.process;
globalThis.process = undefined;  // so that the engine does not take node for an environment that it cannot use
(0, eval)(own("engine_bundle.js").toString());
globalThis.process = node;
self.onmessage({data: port});

// The engine says nowhere that it is ready: until then it throws, and takes nothing.
const input = fs.readFileSync(0);
let at = 0;
const feed = () => {
  while (at < input.length) {
    const bytes = input.readUInt32LE(at);
    try {
      port.onmessage({data: new Uint8Array(input.subarray(at + 4, at + 4 + bytes))});
    } catch (error) {
      if (at !== 0) throw error;
      setTimeout(feed, 100);
      return;
    }
    at += 4 + bytes;
  }
  node.exit(0);
};
setTimeout(feed, 1000);
