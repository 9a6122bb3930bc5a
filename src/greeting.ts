import type { App } from './app.ts'
import { type DemoOrg, makeDemoOrg } from './demo/demo-org.ts'
import type { Installation } from './installation.ts'
import { linkUrl } from './members/links.ts'
import { createSetUpLink, type SetUp } from './members/set-up.ts'
import type { Config } from './platform/config.ts'
import { system } from './platform/db/system.ts'
import { version } from './platform/version.ts'

/** The links and keys that are printed once, with an address to try them. */
async function makeOffers(app: App): Promise<Offers> {
  if (app.address === null) return { demo: null, setUp: null }
  const scope = system(app.context.database)
  const demo = app.context.config.demo ? await scope.transact((tx) => makeDemoOrg(tx, app.context)) : null
  return { demo, setUp: await scope.transact((tx) => createSetUpLink(tx)) }
}

type Offers = { demo: DemoOrg | null; setUp: SetUp | null }

/**
 * The text that the server prints when it is ready. Makes the links and keys that it shows.
 * @param processes the processes that run, in words; null for a single process
 * @param startedAt the time of `performance.now()` at which the start began
 */
export async function greeting(
  app: App,
  { embedded }: Installation,
  { processes, startedAt }: { processes: string | null; startedAt: number },
): Promise<string> {
  const { address, context } = app
  const { demo, setUp } = await makeOffers(app)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const lines = [
    `Crosswalk ${version} is ready${address ? ` at ${address}` : ', as a worker'} (${seconds} s)`,
    '',
  ]
  const origin = context.config.publicUrl ?? address
  if (origin) lines.push(...doors(origin, context.config, { demo, setUp }), '')
  if (processes !== null) lines.push(`  processes  ${processes}`)
  lines.push(
    `  data       ${embedded ? `${embedded.folder} (embedded PostgreSQL)` : 'the database of DATABASE_URL'}`,
  )
  if (setUp) {
    const owned = setUp.orgName === null ? 'the organization that you name there' : `"${setUp.orgName}"`
    lines.push(
      '',
      `The console link makes you the owner of ${owned}. The link works for 24 hours, or until there is an owner.`,
    )
    if (!context.config.servesConsole)
      lines.push('Open it at a server that serves the console: this one has CONSOLE=0.')
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
      'All other changes with both keys are real.',
      '',
      'Try:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.liveToken}' '${origin}/api/v1/contacts?limit=3'`,
    )
  } else {
    lines.push('', 'For an org and a key of your own: npm run crosswalk -- orgs create "Acme"')
  }
  return `${lines.join('\n')}\n\nCtrl-C stops it.\n`
}

/** One line for each way into Crosswalk. */
function doors(origin: string, { servesConsole }: Config, { demo, setUp }: Offers): string[] {
  const console = setUp ? linkUrl(origin, 'set_up', setUp.token) : `${origin}/console`
  return [
    ...(servesConsole || setUp ? [`  console    ${console}`] : []),
    `  API        ${origin}/docs`,
    `  website    ${origin}${demo ? `/demo?key=${demo.writeKey}` : '/guides/track-your-website'}`,
    `  AI hosts   ${origin}/mcp`,
    `  guides     ${origin}/guides`,
  ]
}
