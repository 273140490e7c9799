// Validates JUnit's XML as xmllint does: what is wrong, a line each.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {validateXML} from 'xmllint-wasm'

const schema = readFileSync(join(import.meta.dirname, '../render/junit.xsd'), 'utf8')

export async function junitErrors(xml: string): Promise<readonly string[]> {
  const {errors} = await validateXML({
    xml: [{fileName: 'report.xml', contents: xml}],
    schema: [{fileName: 'junit.xsd', contents: schema}],
  })
  return errors.map(({message}) => message)
}
