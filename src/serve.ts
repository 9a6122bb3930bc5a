import { type App, startApp } from './app.ts'
import { type DemoOrg, makeDemoOrg } from './demo/demo-org.ts'
import { type Installation, openInstallation } from './installation.ts'
import { linkUrl } from './members/links.ts'
import { createSetUpLink, type SetUp } from './members/set-up.ts'
import type { Config } from './platform/config.ts'
import { system } from './platform/db/system.ts'
import { createLog } from './platform/log.ts'
import { Supervised } from './platform/processes/supervised.ts'
import { setTracer } from './platform/tracing/trace.ts'
import { version } from './platform/version.ts'
import { stopOnSignal, warnOfMisspellings } from './process-life.ts'

/**
 * Opens and migrates the database, starts the API and the worker, and runs until a signal stops the
 * server.
 */
export async function serve(config: Config): Promise<void> {
  const startedAt = performance.now()
  const log = createLog(config.logLevel, config.processName)
  const supervised = config.processName === null ? null : new Supervised(config.processName, log)
  if (!supervised) warnOfMisspellings(log)
  const stopping = stopOnSignal(log)
  try {
    if (config.traces) {
      const { openTracer } = await import('./platform/tracing/open-telemetry.ts')
      const { tracer, stop } = openTracer(config.traces)
      setTracer(tracer)
      stopping.add(stop)
    }
    const installation = await openInstallation(config, log, supervised ? 'guest' : 'server')
    stopping.add(async () => installation.embedded?.stop('fast'))
    const app = await startApp(config, log, installation.databaseUrl, installation.rootKey, {}, supervised)
    stopping.add(() => app.close())
    const greet = async (processes: string | null) => {
      const offers = await makeOffers(app)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      process.stdout.write(greeting(app, installation, { ...offers, processes }, seconds))
    }
    if (!supervised) return await greet(null)
    if (config.processName === greetingProcess)
      supervised.onAllRun((processes) => {
        greet(processes).catch((error) => log.error({ err: error }, 'the links of the start were not made'))
      })
    supervised.noteReady()
  } catch (error) {
    // If a signal stopped the start, its handler ends the process.
    if (!stopping.begun()) throw error
  }
}

/** Of several processes, this one prints the greeting. */
export const greetingProcess = 'api-1'

/** The links and keys that are printed once, with an address to try them. */
async function makeOffers(app: App): Promise<Offers> {
  if (app.address === null) return { demo: null, setUp: null }
  const scope = system(app.context.database)
  const demo = app.context.config.demo ? await scope.transact((tx) => makeDemoOrg(tx, app.context)) : null
  return { demo, setUp: await scope.transact((tx) => createSetUpLink(tx)) }
}

type Offers = { demo: DemoOrg | null; setUp: SetUp | null }

function greeting(
  { address, context }: App,
  { embedded }: Installation,
  { demo, setUp, processes }: Offers & { processes: string | null },
  seconds: string,
): string {
  const lines = [
    `Crosswalk ${version} is ready${address ? ` at ${address}` : ', as a worker'} (${seconds} s)`,
    '',
  ]
  if (address) lines.push(...doors(address, context.config, { demo, setUp }), '')
  if (processes !== null) lines.push(`  processes  ${processes}`)
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
      '',
      'Store both keys: they are not shown again. With the test key, calls, CRM pushes and signature installs are simulated.',
      'Other changes of both keys are real.',
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

/** One line for each way into Crosswalk. */
function doors(address: string, { publicUrl, servesConsole }: Config, { demo, setUp }: Offers): string[] {
  const origin = publicUrl ?? address
  const console = setUp ? linkUrl(origin, 'set_up', setUp.token) : `${origin}/console`
  return [
    ...(servesConsole || setUp ? [`  console    ${console}`] : []),
    `  API        ${address}/docs`,
    `  website    ${address}${demo ? `/demo?key=${demo.writeKey}` : '/guides/track-your-website'}`,
    `  AI hosts   ${origin}/mcp`,
    `  guides     ${address}/guides`,
  ]
}
