// Node.js's own modules are loaded when code that wants them runs. In one CommonJS file they would all be loaded first, node:http2 for `--version`, too.
import {isBuiltin} from 'node:module'
import type {TsdownPlugin} from 'tsdown'

const mark = '\0lazy:'

export const lazyBuiltins: TsdownPlugin = {
  name: 'lazy-builtins',
  resolveId: {
    order: 'pre',
    handler: (source, importer) => {
      if (!isBuiltin(source)) return null
      return importer?.startsWith(mark) ? {id: source, external: true} : {id: `${mark}${source}`}
    },
  },
  // A CommonJS module is evaluated by the first module that needs it, when that one is.
  load: (id) =>
    id.startsWith(mark) ? {code: `module.exports = require('${id.slice(mark.length)}')`, moduleType: 'js', moduleSideEffects: false} : null,
}
