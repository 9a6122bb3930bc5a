import type { SignatureTemplate } from './compile.ts'
import type { SignatureData } from './signature-data.ts'
import { readTemplate } from './template.ts'

/**
 * Returns data in which each name that the template reads has its own name as its value, or an example that contains the
 * name: links and pictures need addresses and telephone numbers.
 * @throws TemplateFault
 */
export function namesAsData({ html, text }: SignatureTemplate): SignatureData {
  const read = [readTemplate('html', html), ...(text === null ? [] : [readTemplate('text', text)])]
  const data: Record<string, Record<string, string>> = { fields: {}, persona: {}, org: {} }
  for (const { path } of read.flatMap(({ names }) => names)) {
    const [first = '', second] = path
    const group = Object.hasOwn(data, first) ? first : 'fields'
    const name = group === first ? second : first
    if (name === undefined) continue
    Object.assign(data[group] ?? {}, { [name]: exampleOf(group === 'fields' ? name : `${group}.${name}`) })
  }
  const { fields = {}, persona = {}, org = {} } = data
  return {
    email: 'email@example.com',
    display_name: 'display_name',
    fields,
    persona,
    org: { name: 'org.name', ...org },
  }
}

function exampleOf(name: string): string {
  if (/url$/i.test(name)) return `https://example.com/${name}`
  if (/e?mail$/i.test(name)) return `${name}@example.com`
  return /phone|mobile|fax/i.test(name) ? '+1 202 555 0100' : name
}
