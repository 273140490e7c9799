// Certificates that are made when a test needs them: each signs itself, as a kubelet's does.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** @param subject such as '/O=system:nodes/CN=system:node:n1'. */
export async function selfSigned(subject: string): Promise<Certificate> {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const names = ['-subj', subject, '-addext', 'subjectAltName=IP:127.0.0.1']
    await execa('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...names])
    return {cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8')}
  } finally {
    rmSync(folder, {recursive: true})
  }
}
