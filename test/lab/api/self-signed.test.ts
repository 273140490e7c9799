import {randomBytes, X509Certificate} from 'node:crypto'
import {expect, test} from 'vitest'
import {selfSigned} from '../../../src/lab/api/self-signed.ts'

const now = Date.parse('2026-11-30T12:00:00Z')

test('selfSigned() is a certificate of 127.0.0.1 by itself', () => {
  const certificate = new X509Certificate(selfSigned(now, randomBytes).cert)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined()
  expect(certificate.ca).toBe(true)
  expect([certificate.validFromDate, certificate.validToDate].map((each) => each.toISOString())).toEqual([
    '2026-11-29T12:00:00.000Z',
    '2027-11-30T12:00:00.000Z',
  ])
})

test.each([0x00, 0x7f, 0xff])('selfSigned() has a positive serial number, whatever its first byte of %i', (byte) => {
  const {serialNumber} = new X509Certificate(selfSigned(now, (size) => new Uint8Array(size).fill(byte)).cert)
  expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
})
