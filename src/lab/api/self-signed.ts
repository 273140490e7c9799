// A certificate of our own for 127.0.0.1, as its own authority: node:crypto can sign one but not write one. RFC 5280, in DER (X.690)
import {generateKeyPairSync, sign} from 'node:crypto'

export interface Certificate {
  /** PEM */
  readonly key: string
  /** PEM */
  readonly cert: string
}

const tag = {boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31}

function der(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const {length} = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([type, ...size]), content])
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values)
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tag.sequence, ...parts)
const oid = (hex: string): Buffer => der(tag.oid, Buffer.from(hex, 'hex'))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = sequence(der(tag.set, sequence(oid('550403'), der(tag.utf8, Buffer.from('kubelimbo lab')))))

/** GeneralizedTime has no fraction. */
const time = (ms: number): Buffer => der(tag.time, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\..*/g, '')}Z`))

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [der(tag.boolean, bytes(0xff))] : []), der(tag.octets, value))

const extensions = der(
  0xa3,
  sequence(
    // subjectAltName: the address and the name.
    extension('551d11', sequence(der(0x87, bytes(127, 0, 0, 1)), der(0x82, Buffer.from('localhost')))),
    // basicConstraints: an authority.
    extension('551d13', sequence(der(tag.boolean, bytes(0xff))), true),
  ),
)

const day = 86_400_000

/** Good for a year. @param random of node:crypto: `randomBytes` */
export function selfSigned(now: number, random: (size: number) => Uint8Array): Certificate {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const serial = Buffer.from(random(16))
  // Positive, and without a zero in front.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const toBeSigned = sequence(
    der(0xa0, der(tag.integer, bytes(2))),
    der(tag.integer, serial),
    ecdsaWithSha256,
    commonName,
    sequence(time(now - day), time(now + 365 * day)),
    commonName,
    publicKey.export({type: 'spki', format: 'der'}),
    extensions,
  )
  const whole = sequence(toBeSigned, ecdsaWithSha256, der(tag.bits, bytes(0), sign('sha256', toBeSigned, privateKey)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(privateKey.export({type: 'pkcs8', format: 'pem'})),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
