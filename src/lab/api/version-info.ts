// What /version says. Upstream: apimachinery pkg/version/types.go
import type {JsonObject} from './json.ts'

export function versionInfo(version: string): JsonObject {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(version) ?? []
  return {
    major,
    minor,
    gitVersion: version,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: 'linux/amd64',
  }
}
