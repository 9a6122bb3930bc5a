import { useNavigate } from '@tanstack/react-router'
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components'
import { useSession } from '../api/use-session.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Toasts } from '../parts/toast.tsx'
import { useModal } from '../parts/use-modal.ts'
import styles from './command-menu.module.css'
import { pages, settingsPages } from './pages.ts'
import { useScope } from './scope.tsx'

type Command = { id: string; text: string; icon: IconName; about?: string; run: () => void }

/** Finds pages and organizations by typing. `about` limits what is offered. */
export function CommandMenu({ about, onClose }: { about: 'all' | 'organizations'; onClose: () => void }) {
  const commands = useCommands(about)
  const { contains } = useFilter({ sensitivity: 'base' })
  const { ref, id } = useModal()
  const run = (id: string | number) => {
    onClose()
    commands.find((command) => command.id === id)?.run()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as onCancel
    <dialog
      ref={ref}
      className={styles.menu}
      aria-label="Search or act"
      onCancel={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <Autocomplete filter={contains}>
        <SearchField aria-label="Search" autoFocus>
          <Input
            className={styles.input ?? ''}
            placeholder={about === 'all' ? 'Go to a page or an organization' : 'Go to an organization'}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        </SearchField>
        <ListBox
          className={styles.list ?? ''}
          aria-label="Commands"
          items={commands}
          selectionMode="none"
          onAction={run}
          renderEmptyState={() => <p className="pad two">No page and no organization has this name.</p>}
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

function useCommands(about: 'all' | 'organizations'): Command[] {
  const { orgId, can } = useScope()
  const { memberships } = useSession()
  const navigate = useNavigate()
  const organizations = memberships.map(({ org_id, org_name, via }) => ({
    id: org_id,
    text: org_name,
    icon: 'globe' as const,
    about: org_id === orgId ? 'here' : { member: 'organization', agency: 'client', sandbox: 'sandbox' }[via],
    run: () => void navigate({ to: '/o/$orgId', params: { orgId: org_id } }),
  }))
  if (about === 'organizations') return organizations
  const all = [...pages, ...settingsPages.map((page) => ({ ...page, name: `Settings: ${page.name}` }))]
  return [
    ...all
      .filter(({ permission }) => permission === null || can(permission))
      .map(({ name, path, icon }) => ({
        id: path || '/',
        text: name,
        icon,
        run: () => void navigate({ to: `/o/$orgId${path}` as '/o/$orgId', params: { orgId } }),
      })),
    ...organizations,
  ]
}
