// Starts the single executable. It reads no file of its own: the manifest and package.json are in the executable, too.
import {dirname} from 'node:path'
import {getAsset} from 'node:sea'
import type {Manifest, PJSON} from '@oclif/core/interfaces'
import {main} from '../src/main.ts'
import {commands} from './commands.ts'
import {builtInPlugin} from './plugin.ts'

const pjson: PJSON = JSON.parse(getAsset('package.json', 'utf8'))
const manifest: Manifest = JSON.parse(getAsset('oclif.manifest.json', 'utf8'))
const root = dirname(process.execPath)
const plugin = builtInPlugin({pjson, manifest, table: commands, root})
void main(process.argv.slice(2), {root, plugins: new Map([[plugin.name, plugin]])})
