import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/command.ts'
import { importCommands } from '../../src/cli/import.ts'
import { jobCommands } from '../../src/cli/jobs.ts'
import { keyCommands } from '../../src/cli/keys.ts'
import { orgCommands } from '../../src/cli/orgs.ts'
import { voiceCommands } from '../../src/cli/voice.ts'
import { errorText, OperatorError } from '../../src/platform/report.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { importCounts } from '../support/csv-imports.ts'
import { testKey } from '../support/database.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'

const app = await startTestApp()
const commands = [...orgCommands, ...keyCommands, ...importCommands, ...jobCommands, ...voiceCommands]
const nobody = '0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a'
let acme: TestOrg

beforeAll(async () => {
  acme = await app.newOrg()
  vi.stubEnv('DATABASE_URL', app.databaseUrl)
  vi.stubEnv('ENCRYPTION_KEY', testKey.toString('base64'))
  vi.stubEnv('LOG_LEVEL', 'silent')
  writeFileSync(fileNamed('people.csv'), 'Nr,Name,Mail\n1,Ada Lovelace,ada@example.com\n')
  writeFileSync(fileNamed('people.xlsx'), 'PK\x03\x04')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
  await cleanUp()
})

test.each<[string, RegExp]>([
  ['orgs create Acme Inc', /"Inc" is an unexpected argument.*\nUsage: .*orgs create <name>/],
  ['orgs create Acme --country XX', /two letters/],
  ['orgs list --all', /^Unknown option '--all'\nUsage: .*orgs list$/],
  ['orgs link NOBODY NOBODY', /its own client/],
  ['orgs link ORG NOBODY', /No organization has the id 0190/],
  ['orgs limits NOBODY', /No organization.*orgs list/],
  ['orgs limits ORG --per-second 0', /whole number from 1/],
  ['orgs limits NOBODY --per-second 5', /No organization.*orgs list/],
  ['keys create NOBODY', /No organization/],
  ['keys create acme', /org_id must be an id such as .*, not "acme"/],
  ['keys create', /<org_id> is missing/],
  ['keys create ORG --mode prod', /live or test/],
  ['keys create ORG --agency', /is not an agency: .*orgs link/],
  ['keys revoke NOBODY', /No API key has the id/],
  ['jobs list --state done', /--state must be queued, running or failed/],
  ['jobs list --name nonsense', /No job has the name "nonsense"; there are .*\bimport_records\b/],
  ['jobs retry', /either a job_id or --all-failed/],
  ['jobs retry NOBODY --all-failed', /either a job_id or --all-failed/],
  ['jobs retry NOBODY --name import_records', /--name needs --all-failed/],
  ['jobs retry nonsense', /job_id must be an id such as/],
  ['jobs retry NOBODY', /No failed job has the id 0190.*jobs list --state failed/],
  ['jobs retry NOBODY NOBODY', /an unexpected argument.*\nUsage: .*jobs retry \[job_id\] \[--all-failed\]/],
  ['voice subscription ORG', /^Add --status .*, --included-minutes/],
  ['voice subscription ORG --included-minutes 1.5', /--included-minutes must be a whole number/],
  ['voice subscription NOBODY --status active', /No organization has the id/],
  ['import contacts nowhere.csv --org ORG', /^nowhere\.csv cannot be read: no such file or directory\.$/],
  ['import contacts test --org ORG', /^test cannot be read: it is a folder\.$/],
  ['import contacts people.csv --org NOBODY', /No organization has the id/],
  ['import contacts people.csv --org acme', /--org must be an id/],
  ['import contacts people.csv', /^--org is missing\.\nUsage:.*--org <org_id>/],
  ['import contacts --org ORG', /<file\|-> is missing/],
  ['import contacts - --org ORG --encoding klingon', /--encoding must be a name such as utf-8/],
  ['import contacts people.csv --org ORG --map Mail', /--map is <header>=<field>.*"Mail" is neither/],
  ['import contacts people.csv --org ORG --map {"Mail":5}', /--map is not a JSON object/],
  ['import contacts people.csv --org ORG --map {', /--map is not a JSON object/],
  ['import contacts people.csv --org ORG --map Email=email', /"Email".*not a column.*"Nr", "Name", "Mail"/],
  ['import contacts people.csv --org ORG --map Mail=e-mail', /"e-mail".*not a field/],
  ['import companies people.xlsx --org ORG', /spreadsheet/],
])('%s is refused with an explanation, and changes nothing', async (line, says) => {
  const before = await importCounts(app)
  const command = commands.find(({ name }) => line.startsWith(name))!
  const args = line
    .slice(command.name.length)
    .replaceAll('ORG', acme.orgId)
    .replaceAll('NOBODY', nobody)
    .replace(/people\.\w+/, fileNamed)
    .split(' ')
    .filter((arg) => arg !== '')
  const error = await runCommand(command, args).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(OperatorError)
  expect((error as OperatorError).message).toMatch(says)
  expect(await importCounts(app)).toEqual(before)
})

test.each(['keys create SANDBOX', 'orgs link ORG SANDBOX', 'orgs link SANDBOX ORG'])(
  '%s is refused, and prints what to do without a stack',
  async (line) => {
    const org = await app.newOrg()
    const made = await org.post('/organization/sandboxes', { name: 'Trial' })
    const [group, verb, ...args] = line
      .replaceAll('ORG', acme.orgId)
      .replaceAll('SANDBOX', made.body.data.org_id)
      .split(' ')
    const command = commands.find(({ name }) => name === `${group} ${verb}`)!
    const error = await runCommand(command, args).catch((error: unknown) => error)
    expect(errorText(error)).toMatch(/^A sandbox [^\n]*the organization that made the sandbox$/)
  },
)
