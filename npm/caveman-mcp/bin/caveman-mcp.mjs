#!/usr/bin/env node
// Runs the native binary where there is one that fits, else the wasm core in this process.
import { launch } from '../lib/launch.mjs';

await launch(process.argv.slice(2));
