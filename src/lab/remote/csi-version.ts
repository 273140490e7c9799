// Which version of CSI the kubelet speaks with a driver. Upstream: volume/csi/csi_plugin.go, highestSupportedVersion

/** Its numbers: '1.4.0' is [1, 4, 0]. */
export type CsiVersion = readonly number[]

/** @param versions as the driver says them @throws when none of them is a version 1 */
export function highestSupportedVersion(versions: readonly string[]): CsiVersion {
  // Whatever a later major version is, it need not be what we speak.
  const read = versions.flatMap((each) => parseGeneric(each) ?? []).filter(({0: major = 0}) => major <= 1)
  const [highest] = read.sort((a, b) => compareVersions(b, a))
  if (highest === undefined)
    throw new Error(`could not find a highest supported version from versions ([${versions.join(' ')}]) reported by this driver`)
  if (highest[0] !== 1) throw new Error(`highest supported version reported by driver is ${highest.join('.')}, must be v1.x`)
  return highest
}

export function compareVersions(a: CsiVersion, b: CsiVersion): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Upstream: util/version, ParseGeneric @returns undefined when it is no version; in a list, so that flatMap takes it whole */
function parseGeneric(text: string): [CsiVersion] | undefined {
  const [, numbers] = /^v?(\d+(?:\.\d+)+)(?:$|[-+])/.exec(text.trim()) ?? []
  return numbers === undefined ? undefined : [numbers.split('.').map(Number)]
}
