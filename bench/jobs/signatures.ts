// Measures how fast one core compiles the examples of docs/signatures, with other data for each mailbox. The unit is CPU
// time, because other work may run at the same time.
//   npm run bench:signatures [-- --mailboxes 20000]
import { parseArgs } from 'node:util'
import { signatureExamples } from '../../scripts/signature-examples.ts'
import { canonicalHtml } from '../../src/signatures/compile/canonical.ts'
import { compileSignature } from '../../src/signatures/compile/compile.ts'
import { sanitize } from '../../src/signatures/compile/sanitize.ts'
import { scopeOf } from '../../src/signatures/compile/scope.ts'
import { readTemplate, render } from '../../src/signatures/compile/template.ts'
import { tidy } from '../../src/signatures/compile/tidy.ts'
import { Warnings } from '../../src/signatures/compile/warnings.ts'

const { values } = parseArgs({ options: { mailboxes: { type: 'string', default: '20000' } } })
const target = 6000
const examples = signatureExamples()
const mailboxes = Array.from({ length: Number(values.mailboxes) }, (_, index) => {
  const { template, data } = examples[index % examples.length]!
  const display_name = `${data.display_name} ${index}`
  return { template, data: { ...data, display_name, email: `p${index}.${data.email}` } }
})

const parsed = mailboxes.map(({ template }) => readTemplate('html', template.html))
const rendered = mailboxes.map(({ data }, index) => render(parsed[index]!, scopeOf(data)))
const compiled = mailboxes.map(({ template, data }) => compileSignature(template, data).html)

console.log('| | µs of CPU time each | a second |')
console.log('|---|---|---|')
measure('Liquid', (index) => render(parsed[index]!, scopeOf(mailboxes[index]!.data)))
measure('sanitizing', (index) => sanitize(rendered[index]!, new Warnings()))
measure('sanitizing and writing as browsers read it', (index) =>
  tidy(sanitize(rendered[index]!, new Warnings())),
)
const perSecond = measure('all steps', (index) => {
  const { template, data } = mailboxes[index]!
  return compileSignature(template, data)
})
measure('canonical form', (index) => canonicalHtml(compiled[index]!))

if (perSecond < target) {
  console.log(`FAILED: ${Math.round(perSecond)} a second is below the target of ${target}`)
  process.exitCode = 1
}

function measure(what: string, run: (index: number) => unknown): number {
  for (let index = 0; index < Math.min(3000, mailboxes.length); index++) run(index)
  const startedAt = process.cpuUsage()
  for (let index = 0; index < mailboxes.length; index++) run(index)
  const { user, system } = process.cpuUsage(startedAt)
  const each = (user + system) / mailboxes.length
  console.log(`| ${what} | ${each.toFixed(1)} | ${Math.round(1e6 / each).toLocaleString('en')} |`)
  return 1e6 / each
}
