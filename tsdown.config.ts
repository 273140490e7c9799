import {globSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {Plugin} from '@oclif/core/config'
import {defineConfig} from 'tsdown'

// One bundle per command; what commands share goes into chunks. The bundle runs without node_modules.
export default defineConfig({
  // By name: from a list, dist/ would get the folders that the sources lie in.
  entry: Object.fromEntries([...globSync('commands/**/*.ts'), 'src/main.ts'].map((path) => [path.replace(/^src\/|\.ts$/g, ''), path])),
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: false,
  fixedExtension: false,
  define: {'process.env.NODE_ENV': '"production"'},
  deps: {alwaysBundle: [/.*/], onlyBundle: false},
  hooks: {'build:done': writeManifest},
})

/** Writes what `oclif manifest` would, without its 221 packages. It reads the built dist/commands. */
async function writeManifest(): Promise<void> {
  const plugin = new Plugin({
    root: import.meta.dirname,
    type: 'core',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  await writeFile('oclif.manifest.json', `${JSON.stringify(plugin.manifest, null, 2)}\n`)
}
