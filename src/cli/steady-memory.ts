// Memory of a process that passes calls for hours.
import {setFlagsFromString} from 'node:v8'

/**
 * V8 makes room for garbage as calls pass, some 150 MiB within 30,000 of them, although next to nothing of a call stays. From here on the room for young
 * objects stays as it is, and that for old ones is a tenth more than what is in use. V8 reads both flags each time that it would grow. They are the whole
 * process's, so it is for a command to decide.
 */
export function keepMemorySteady(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=10')
}
