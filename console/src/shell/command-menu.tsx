import { type RefObject, useState } from 'react'
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components'
import { useSession } from '../api/use-session.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { count } from '../parts/numbers.ts'
import { Toasts } from '../parts/toast.tsx'
import { useModal } from '../parts/use-modal.ts'
import { useNavigate, usePlace } from '../routing/use-router.ts'
import styles from './command-menu.module.css'
import type { Early } from './early-search.tsx'
import { isOffered, type NamedPage, pages, settingsPages } from './pages.ts'
import type { EntityType } from './record-search.ts'
import { samePage } from './same-page.ts'
import { useScope } from './scope.tsx'
import { useEnter } from './use-enter.ts'
import { offeredMax, useFoundOrganizations } from './use-found-organizations.ts'
import { useFoundRecords } from './use-found-records.ts'

type Command = { id: string; text: string; icon: IconName; about?: string; run: () => void }

/** Finds pages, records and organizations by typing. `about` limits what is offered. */
export function CommandMenu({
  about,
  early,
  onClose,
}: {
  about: 'all' | 'organizations'
  /** What the person typed while the menu loaded. */
  early: RefObject<Early>
  onClose: () => void
}) {
  const [typed, setTyped] = useState(() => early.current.text)
  const { length } = useSession().memberships
  const organizationWords =
    length > offeredMax ? `Find one of ${count(length)} organizations` : 'Go to an organization'
  const { commands, isSearching, hasFailed } = useCommands(about, typed)
  const { contains } = useFilter({ sensitivity: 'base' })
  // Records and organizations were found already, also by values that are not in their names.
  const isShown = (id: string, text: string, words: string) => isFound(id) || contains(text, words)
  const { ref, id } = useModal()
  const run = (id: string | number) => {
    onClose()
    commands.find((command) => command.id === id)?.run()
  }
  const first = typed.trim() === '' ? undefined : commands.find(({ id, text }) => isShown(id, text, typed))
  const enter = useEnter({
    ...{ typed, isSearching, isRecord },
    wasEntered: early.current.isEntered,
    runFirst: () => first && run(first.id),
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as onCancel
    <dialog
      ref={ref}
      className={styles.menu}
      aria-label="Search or act"
      onCancel={onClose}
      onKeyDownCapture={enter}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <Autocomplete
        inputValue={typed}
        onInputChange={setTyped}
        filter={(text, input, { key }) => isShown(String(key), text, input)}
      >
        <SearchField aria-label="Search" autoFocus>
          <Input
            className={styles.input ?? ''}
            placeholder={about === 'all' ? 'Find a record, or go to a page' : organizationWords}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        </SearchField>
        <ListBox
          className={styles.list ?? ''}
          aria-label="Commands"
          data-first={(first && !isSearching) || undefined}
          items={commands}
          selectionMode="none"
          onAction={run}
          renderEmptyState={() => <p className="pad two">{emptyWords(about, isSearching, hasFailed)}</p>}
        >
          {({ text, icon, about }) => (
            <ListBoxItem textValue={text}>
              <Icon name={icon} />
              <span className="cut">{text}</span>
              {about && <span className="end three t12">{about}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
      <Toasts over={id} />
    </dialog>
  )
}

/** The ids of commands that open a record begin with this. */
const recordPrefix = 'record:'
const isRecord = (id: string) => id.startsWith(recordPrefix)
const organizationPrefix = 'organization:'
const isFound = (id: string) => isRecord(id) || id.startsWith(organizationPrefix)

const kinds = {
  contact: { path: 'people', icon: 'people', about: 'person' },
  company: { path: 'companies', icon: 'company', about: 'company' },
  deal: { path: 'deals', icon: 'deals', about: 'deal' },
} as const satisfies Record<EntityType, { path: string; icon: IconName; about: string }>

/** The lists that open a dialog for a new record. */
const newRecords = [
  { name: 'New person', path: '/people', permission: 'contacts:write' },
  { name: 'New company', path: '/companies', permission: 'companies:write' },
  { name: 'New deal', path: '/deals', permission: 'deals:write' },
] as const

function emptyWords(about: 'all' | 'organizations', isSearching: boolean, hasFailed: boolean): string {
  if (about === 'organizations') return 'No organization has this name.'
  if (isSearching) return 'Searching …'
  return hasFailed
    ? 'No page has this name. The records could not be searched: the server did not answer.'
    : 'No record and no page has this name.'
}

function useCommands(
  about: 'all' | 'organizations',
  typed: string,
): { commands: Command[]; isSearching: boolean; hasFailed: boolean } {
  const scope = useScope()
  const { orgId, can } = scope
  const navigate = useNavigate()
  const { records, isSearching, hasFailed } = useFoundRecords(about === 'all' ? typed : '')
  const { path } = usePlace()
  const organizations = useFoundOrganizations(typed).map(({ name, membership }) => {
    const { org_id, via } = membership
    return {
      id: organizationPrefix + org_id,
      text: name,
      icon: 'globe' as const,
      about:
        org_id === orgId ? 'here' : { member: 'organization', agency: 'client', sandbox: 'sandbox' }[via],
      run: () => void navigate({ to: samePage(path, membership), params: { orgId: org_id } }),
    }
  })
  if (about === 'organizations') return { commands: organizations, isSearching: false, hasFailed: false }
  const news = newRecords
    .filter(({ permission }) => can(permission))
    .map(({ name, path: to }) => ({
      id: `new:${to}`,
      text: name,
      icon: 'plus' as const,
      run: () =>
        void navigate({
          to: `/o/$orgId${to}` as '/o/$orgId/people',
          params: { orgId },
          search: (all) => ({ ...(path === `/o/$orgId${to}` ? all : {}), new: true as const }),
        }),
    }))
  const commandsOf = (offered: readonly NamedPage[]) =>
    offered
      .filter((page) => isOffered(page, scope))
      .map(({ name, path, icon }) => ({
        id: path || '/',
        text: name,
        icon,
        run: () => void navigate({ to: `/o/$orgId${path}` as '/o/$orgId', params: { orgId } }),
      }))
  const commands = [
    ...commandsOf(pages),
    ...news,
    ...commandsOf(settingsPages.map((page) => ({ ...page, name: `Settings: ${page.name}` }))),
    ...records.map(({ type, record_id: recordId, name, about: more }) => ({
      id: recordPrefix + recordId,
      text: name,
      icon: kinds[type].icon,
      about: more === null ? kinds[type].about : `${kinds[type].about} · ${more}`,
      run: () =>
        void navigate({
          to: `/o/$orgId/${kinds[type].path}/$recordId` as '/o/$orgId/people/$recordId',
          params: { orgId, recordId },
        }),
    })),
    ...organizations,
  ]
  return { commands, isSearching, hasFailed }
}
