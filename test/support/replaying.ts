// `kubelimbo replay` as a child process, until the test is over with it.
import {start} from './kubelimbo.ts'

export interface Replaying extends AsyncDisposable {
  readonly root: string
  readonly endpoints: readonly {readonly kind: string; readonly endpoint: string}[]
  /** Of the container runtime. */
  readonly runtime: string
}

/** @throws with what it said when it does not come up */
export async function startReplay(file: string, args: readonly string[] = []): Promise<Replaying> {
  const child = start(['replay', file, '--json', ...args])
  const said = Promise.withResolvers<string>()
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
    // Pretty: it ends with a brace of its own line.
    if (/^}$/m.test(text)) said.resolve(text)
  })
  void child.then(({stderr}) => said.reject(new Error(`replay ended: ${stderr}`)))
  const {root, sockets} = JSON.parse(await said.promise) as {root: string; sockets: Replaying['endpoints']}
  return {
    root,
    endpoints: sockets,
    runtime: sockets.find(({kind}) => kind === 'runtime')?.endpoint ?? '',
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await child
    },
  }
}
