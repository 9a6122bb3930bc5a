import { useQuery } from '@tanstack/react-query'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { State } from '../../parts/state.tsx'
import { type Scope, useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { PageLink } from './page-link.tsx'
import { SectionHead } from './section-head.tsx'

type Step = { icon: IconName; title: string; about: string; path: string; act: string; isDone: boolean }

/**
 * Reads what to do first. The answer is empty if there are people, and for members who see only some records, because
 * they cannot know whether there are people.
 */
export function useFirstSteps() {
  const scope = useScope()
  const { orgId, mode, can, membership } = scope
  return useQuery({
    queryKey: ['first-steps', orgId, mode],
    queryFn: ({ signal }) => readSteps(scope, signal),
    enabled: can('contacts:write') && membership.record_access === 'all',
    refetchInterval: 30_000,
  })
}

/** What to do first, as long as the organization has no person. */
export function FirstSteps() {
  const shown = useFirstSteps().data ?? []
  if (shown.length === 0) return null
  return (
    <section className={`pad stack g0 ${styles.steps}`} aria-label="First steps">
      <SectionHead title="First steps" />
      <ul className="rule">
        {shown.map(({ icon, title, about, path, act, isDone }) => (
          <li key={title} className={styles.item}>
            <span className="two">
              <Icon name={icon} />
            </span>
            <div className="grow stack g0">
              <span className="strong">{title}</span>
              <span className="two">{about}</span>
            </div>
            {isDone ? (
              <State kind="ok">done</State>
            ) : (
              <PageLink path={path} isButton>
                {act}
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The steps that the role allows; none if the organization has people. */
async function readSteps({ api, can, membership }: Scope, signal: AbortSignal): Promise<Step[]> {
  const people = await api.contacts.list({ limit: 1 }, { signal })
  if (people.pagination.total > 0) return []
  const found = await Promise.all([
    membership.is_agency && can('agency:write') && clientStep(api, signal),
    importStep,
    personStep,
    can('crm:write') && connectionStep(api, signal),
    can('tracking:write') && trackingStep(api, signal),
    can('api_keys:write') && keyStep(api, signal),
    can('members:write') && memberStep(api, signal),
  ])
  return found.filter((step) => step !== false)
}

async function clientStep(api: Scope['api'], signal: AbortSignal): Promise<Step> {
  const { data } = await api.agency.clients.list({ limit: 1 }, { signal })
  return {
    icon: 'merge',
    title: 'Add your first client',
    about: 'A new organization, or one that accepts your invitation.',
    path: '/clients',
    act: 'Open clients',
    isDone: data.length > 0,
  }
}

const importStep: Step = {
  icon: 'import',
  title: 'Import people',
  about: 'A CSV file or a spreadsheet, such as an export of your CRM.',
  path: '/imports/new',
  act: 'Import a file',
  isDone: false,
}

const personStep: Step = {
  icon: 'people',
  title: 'Add the first person',
  about: 'Type a name and an address, to see what a record shows.',
  path: '/people',
  act: 'Open people',
  isDone: false,
}

async function connectionStep(api: Scope['api'], signal: AbortSignal): Promise<Step> {
  const { data } = await api.crm.connections.list({ limit: 1 }, { signal })
  return {
    icon: 'push',
    title: 'Connect your CRM',
    about: 'Salesforce, HubSpot or EspoCRM. Nothing is pushed until you say so.',
    path: '/crm',
    act: 'Connect',
    isDone: data.length > 0,
  }
}

async function trackingStep(api: Scope['api'], signal: AbortSignal): Promise<Step> {
  const keys = await api.writeKeys.list({ signal })
  return {
    icon: 'activity',
    title: 'Track your website',
    about: 'A write key and a line of HTML show who visits which page.',
    path: '/settings/tracking',
    act: 'Create a write key',
    isDone: keys.length > 0,
  }
}

async function keyStep(api: Scope['api'], signal: AbortSignal): Promise<Step> {
  const { keys } = await api.apiKeys.list({ signal })
  return {
    icon: 'key',
    title: 'Create an API key',
    about: 'Programs read and write with a key, as this console does with your session.',
    path: '/settings/api',
    act: 'Create a key',
    isDone: keys.length > 0,
  }
}

async function memberStep(api: Scope['api'], signal: AbortSignal): Promise<Step> {
  const members = await api.members.list({ signal })
  return {
    icon: 'people',
    title: 'Invite your colleagues',
    about: 'A link is enough. Each of them has a role.',
    path: '/settings/members',
    act: 'Invite',
    isDone: members.length > 1,
  }
}
