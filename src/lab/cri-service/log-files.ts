// The files of container logs on the real disk. Lines are few and short, so they are written at once.
import {closeSync, openSync, writeSync} from 'node:fs'

export interface LogFile {
  write(text: string): void
  close(): void
}

export interface LogFiles {
  /** Undefined when it cannot be written: the container runs without a log then. */
  append(path: string): LogFile | undefined
}

export const diskLogFiles: LogFiles = {
  append: (path) => {
    try {
      const file = openSync(path, 'a', 0o640)
      return {write: (text) => void writeSync(file, text), close: () => closeSync(file)}
    } catch {
      return undefined
    }
  },
}
