import {expect, test} from 'vitest'
import {errorClass, goCode} from '../../../src/kubelet/volumes/error-class.ts'

test.each([
  ['CANCELLED', 'Canceled', 'uncertain'],
  ['UNKNOWN', 'Unknown', 'final'],
  ['INVALID_ARGUMENT', 'InvalidArgument', 'final'],
  ['DEADLINE_EXCEEDED', 'DeadlineExceeded', 'uncertain'],
  ['NOT_FOUND', 'NotFound', 'final'],
  ['ALREADY_EXISTS', 'AlreadyExists', 'final'],
  ['PERMISSION_DENIED', 'PermissionDenied', 'final'],
  ['RESOURCE_EXHAUSTED', 'ResourceExhausted', 'uncertain'],
  ['FAILED_PRECONDITION', 'FailedPrecondition', 'final'],
  ['ABORTED', 'Aborted', 'uncertain'],
  ['OUT_OF_RANGE', 'OutOfRange', 'final'],
  ['UNIMPLEMENTED', 'Unimplemented', 'final'],
  ['INTERNAL', 'Internal', 'final'],
  ['UNAVAILABLE', 'Unavailable', 'uncertain'],
  ['DATA_LOSS', 'DataLoss', 'final'],
  ['UNAUTHENTICATED', 'Unauthenticated', 'final'],
])('errorClass() of %s, which Go prints as %s, is %s', (code, printed, expected) => {
  expect(goCode(code)).toBe(printed)
  expect(errorClass(printed)).toBe(expected)
})

test('errorClass() of an error without a code is uncertain', () => {
  expect(errorClass(undefined)).toBe('uncertain')
})
