// `npm run generate` writes the committed files that are generated from other files. Run it after a change of
// migrations (src/platform/db/tables.ts), endpoints (openapi.json, sdk/methods.txt, sdk/src/generated/,
// cli/src/generated/, console/src/api/generated/), error codes (docs/reference/errors.md), commands of cli/ (docs/reference/cli.md), or the script
// for web pages (sdk-browser/dist/).
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { projectRoot } from '../src/platform/config.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { createLog } from '../src/platform/log.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { writeBrowserSdk } from './generate-browser-sdk.ts'
import { writeCli } from './generate-cli.ts'
import { withCliReference } from './generate-cli-reference.ts'
import { withErrorTables } from './generate-error-tables.ts'
import { methodsText } from './generate-methods.ts'
import { openApiText } from './generate-openapi.ts'
import { writeSdk } from './generate-sdk.ts'
import { tablesSource } from './generate-tables.ts'

const log = createLog('error')
const dataDir = mkdtempSync(join(tmpdir(), 'crosswalk-generate-'))
// PostgreSQL's user must enter the folder, which contains the database.
chmodSync(dataDir, 0o711)
const postgres = await startEmbedded({ dataDir, log, role: 'server' })
try {
  await prepareDatabase(postgres.url, Buffer.alloc(32), log)
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const source = await tablesSource(client).finally(() => client.end())
  writeFileSync(join(projectRoot, 'src/platform/db/tables.ts'), source)
  const methods = join(projectRoot, 'sdk/methods.txt')
  writeFileSync(methods, methodsText(readFileSync(methods, 'utf8')))
  writeFileSync(join(projectRoot, 'openapi.json'), openApiText())
  writeSdk()
  writeCli()
  await writeBrowserSdk()
  const errors = join(projectRoot, 'docs/reference/errors.md')
  writeFileSync(errors, withErrorTables(readFileSync(errors, 'utf8')))
  const commands = join(projectRoot, 'docs/reference/cli.md')
  writeFileSync(commands, await withCliReference(readFileSync(commands, 'utf8')))
} finally {
  await postgres.stop('fast')
  rmSync(dataDir, { recursive: true, force: true })
}
