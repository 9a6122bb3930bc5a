import { type App, startApp } from './app.ts'
import { type DemoOrg, makeDemoOrg } from './demo/demo-org.ts'
import { type Installation, openInstallation } from './installation.ts'
import { linkUrl } from './members/links.ts'
import { createSetUpLink, type SetUp } from './members/set-up.ts'
import { type Config, misspelledSettings } from './platform/config.ts'
import { system } from './platform/db/system.ts'
import { createLog, type Log } from './platform/log.ts'
import { onStopSignal } from './platform/stop-signal.ts'
import { version } from './platform/version.ts'

const stopWithinMs = 9_500

/**
 * Opens and migrates the database, starts the API and the worker, and runs until a signal stops the
 * server.
 */
export async function serve(configure: () => Config): Promise<void> {
  const startedAt = performance.now()
  const config = configure()
  const log = createLog(config.logLevel)
  for (const { name, nearest } of misspelledSettings())
    log.warn({ variable: name }, `${name} is not a setting and is not read; did you mean ${nearest}?`)
  const stopping = stopOnSignal(log)
  try {
    const installation = await openInstallation(config, log, 'server')
    stopping.add(async () => installation.embedded?.stop('fast'))
    const app = await startApp(config, log, installation.databaseUrl, installation.rootKey)
    stopping.add(() => app.close())
    // Print the demo org's keys once, with an address to try them.
    const demo =
      config.demo && app.address !== null ? await system(app.context.database).transact(makeDemoOrg) : null
    const setUp =
      app.address === null ? null : await system(app.context.database).transact((tx) => createSetUpLink(tx))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(greeting(app, installation, { demo, setUp }, seconds))
  } catch (error) {
    // If a signal stopped the start, its handler ends the process.
    if (!stopping.begun()) throw error
  }
}

type Stopping = { add(stop: () => Promise<unknown>): void; begun(): boolean }

/** Stops the parts in reverse order on SIGTERM or SIGINT. A second signal ends the process at once. */
function stopOnSignal(log: Log): Stopping {
  const stops: (() => Promise<unknown>)[] = []
  let begun = false
  onStopSignal(async (signal) => {
    begun = true
    log.info({ signal }, 'stopping: finishing running requests and jobs')
    setTimeout(() => {
      log.error('not everything could be finished in time')
      process.exit(1)
    }, stopWithinMs).unref()
    for (const each of stops.reverse())
      await each().catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
    log.info('stopped')
    log.flush()
    process.exit(0)
  })
  return { add: (each) => stops.push(each), begun: () => begun }
}

type Offers = { demo: DemoOrg | null; setUp: SetUp | null }

function greeting(
  { address, context }: App,
  { embedded }: Installation,
  { demo, setUp }: Offers,
  seconds: string,
): string {
  const lines = [
    `Crosswalk ${version} is ready${address ? ` at ${address}` : ', as a worker'} (${seconds} s)`,
    '',
  ]
  if (address) lines.push(`  guides     ${address}/guides`, `  reference  ${address}/docs`)
  if (address && setUp)
    lines.push(`  console    ${linkUrl(context.config.publicUrl ?? address, 'set_up', setUp.token)}`)
  lines.push(
    `  data       ${embedded ? `${embedded.folder} (embedded PostgreSQL)` : 'the database of DATABASE_URL'}`,
  )
  if (setUp) {
    const owned = setUp.orgName === null ? 'the organization that you name there' : `"${setUp.orgName}"`
    lines.push(
      '',
      `The console link makes you the owner of ${owned}. It works once, within 24 hours, until the next start.`,
    )
  }
  if (demo) {
    const { contacts, companies, deals } = demo
    lines.push(
      '',
      `  demo org   ${demo.orgId}, with ${contacts.toLocaleString('en')} contacts, ${companies.toLocaleString('en')} companies and ${deals.toLocaleString('en')} deals`,
      `  live key   ${demo.liveToken}`,
      `  test key   ${demo.testToken}`,
      `  demo page  ${address}/demo?key=${demo.writeKey}`,
      '',
      'Both keys are shown only this once, and act on the same records. Calls, CRM pushes and signature installs of the test',
      'key are simulated. To try things on other records: POST /organization/sandboxes',
      '',
      'Try:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.liveToken}' '${address}/api/v1/contacts?limit=3'`,
    )
  } else {
    lines.push('', 'For an org and a key of your own: npm run crosswalk -- orgs create "Acme"')
  }
  return `${lines.join('\n')}\n\nCtrl-C stops it.\n`
}
