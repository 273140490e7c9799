#!/usr/bin/env node
// Kept to what the oldest Node.js can parse: the version is checked before anything else is imported.
var NEEDED = 22
var major = Number(process.versions.node.split('.')[0])
if (major < NEEDED) {
  process.stderr.write('kubelimbo needs Node.js ' + NEEDED + ' or newer: this is ' + process.versions.node + '\n')
  process.exit(2)
}
import('../dist/main.js').then(
  (main) => main.main(),
  (error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('kubelimbo is not built yet: run `npm run build` in its folder\n')
    process.exit(2)
  },
)
