// npm run build:binary: this Node.js, and in it one script with all commands, in build/kubelimbo.
import {copyFile, mkdir, rename, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import {build} from 'tsdown'
import {shippedAsset, shippedFiles} from '../src/base/shipped-files.ts'
import {lazyBuiltins} from './lazy-builtins.ts'

const top = join(import.meta.dirname, '..')
const parts = join(top, 'build/parts')
const binary = join(top, 'build/kubelimbo')
const node = join(parts, 'node')

// By the documentation of Node.js: what marks an executable that has taken a blob.
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

// Relative, as the path of the script is in the executable.
const sea = {
  main: 'kubelimbo.cjs',
  output: 'sea.blob',
  assets: {'package.json': '../../package.json', 'oclif.manifest.json': '../../oclif.manifest.json', [shippedAsset]: shippedAsset},
  useCodeCache: true,
  disableExperimentalSEAWarning: true,
  // NODE_OPTIONS may be there for another program of the node.
  execArgvExtension: 'none',
}

async function bundle(): Promise<void> {
  await build({
    config: false,
    logLevel: 'error',
    cwd: top,
    entry: {kubelimbo: 'binary/main.ts'},
    outDir: parts,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    dts: false,
    // Names are kept for whoever reads the trace of a bug.
    minify: {compress: true, mangle: false, codegen: {removeWhitespace: true}},
    define: {'process.env.NODE_ENV': '"production"'},
    deps: {alwaysBundle: [/.*/], onlyBundle: false},
    plugins: [lazyBuiltins],
    outputOptions: {codeSplitting: false},
  })
}

/** Symbols are a seventh of the file. After the injection, strip would break it. */
async function stripped(): Promise<string> {
  const {failed} = await execa('strip', [node], {reject: false})
  return failed ? ', not stripped (that takes binutils)' : ''
}

await rm(parts, {recursive: true, force: true})
await mkdir(parts, {recursive: true})
await bundle()
await writeFile(join(parts, 'sea.json'), JSON.stringify(sea))
const shipped = await Promise.all(['fixtures/scenarios', 'fixtures/exam'].map(shippedFiles))
await writeFile(join(parts, shippedAsset), JSON.stringify(shipped.flat()))
const inParts = {cwd: parts, preferLocal: true, localDir: top} as const
await execa(process.execPath, ['--experimental-sea-config', 'sea.json'], inParts)
await copyFile(process.execPath, node)
const note = await stripped()
await execa('postject', ['node', 'NODE_SEA_BLOB', 'sea.blob', '--sentinel-fuse', fuse], inParts)
// One that runs is left alone.
await rename(node, binary)
const {stdout: version} = await execa(binary, ['--version'])
process.stdout.write(`build/kubelimbo: ${version}, ${((await stat(binary)).size / 1e6).toFixed(0)} MB${note}\n`)
