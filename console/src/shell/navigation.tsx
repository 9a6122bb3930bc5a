import { useContext, useEffect, useRef } from 'react'
import { queries } from '../api/session.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { useSession } from '../api/use-session.ts'
import { Button, KeyboardKey } from '../parts/button.tsx'
import { mayLeave } from '../parts/guards.ts'
import { Icon, Logo } from '../parts/icon.tsx'
import { Initials } from '../parts/initials.tsx'
import { showToast } from '../parts/toast.tsx'
import { Link } from '../routing/link.tsx'
import { useNavigate } from '../routing/use-router.ts'
import { ApprovalsBadge, DueTasksBadge } from './badge.tsx'
import { NavigationContext } from './navigation-button.tsx'
import { isOffered, type NamedPage, pages } from './pages.ts'
import { useScope } from './scope.tsx'
import styles from './shell.module.css'

const isApple = /Mac|iP/.test(navigator.platform)

/** The left column: organization, pages, mode and person. */
export function Navigation({ onSearch }: { onSearch: (about: 'all' | 'organizations') => void }) {
  const scope = useScope()
  const { membership, mode, orgName } = scope
  const { isOpen } = useContext(NavigationContext)
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    first.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isOpen])
  return (
    <aside className={styles.side} aria-label="Navigation">
      <button ref={first} type="button" className={styles.org} onClick={() => onSearch('organizations')}>
        <Logo />
        <span className="strong cut">{orgName}</span>
        <Icon name="down" />
      </button>
      <button type="button" className={styles.search} onClick={() => onSearch('all')}>
        <Icon name="search" />
        Search or act
        <KeyboardKey>{isApple ? '⌘K' : 'Ctrl K'}</KeyboardKey>
      </button>
      <nav aria-label="Pages">
        {pages
          .filter((page) => isOffered(page, scope))
          .map((page) => (
            <PageLink key={page.path} page={page} />
          ))}
        <span className="grow" />
        <PageLink page={{ name: 'Settings', path: '/settings', icon: 'settings', permission: null }} />
      </nav>
      <div className={styles.foot}>
        {membership.via !== 'sandbox' && <ModeSwitch isTest={mode === 'test'} />}
        <Person />
      </div>
    </aside>
  )
}

function PageLink({ page: { name, path, icon } }: { page: NamedPage }) {
  const { orgId } = useScope()
  const { setOpen } = useContext(NavigationContext)
  return (
    <Link
      to={`/o/$orgId${path}` as '/o/$orgId'}
      params={{ orgId }}
      marks={path === '' ? 'page' : 'below'}
      onClick={() => setOpen(false)}
    >
      <Icon name={icon} />
      {name}
      {path === '/approvals' && <ApprovalsBadge />}
      {path === '/tasks' && <DueTasksBadge />}
    </Link>
  )
}

/** Switches to test mode, which shows the effects of test keys: the same records, but simulated effects. */
function ModeSwitch({ isTest }: { isTest: boolean }) {
  const navigate = useNavigate()
  return (
    <label
      className={styles.mode}
      title="In test mode, calls, CRM pushes and signature installs are simulated"
    >
      Test mode
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={isTest}
        aria-checked={isTest}
        onChange={() =>
          void navigate({
            to: '.',
            search: (all: object) => ({ ...all, mode: isTest ? undefined : 'test' }),
          })
        }
      />
    </label>
  )
}

function Person() {
  const { member } = useSession()
  const { membership } = useScope()
  const navigate = useNavigate()
  const signOut = async () => {
    if (!(await mayLeave())) return
    try {
      await signInApi.session.signOut()
      queries.clear()
      await navigate({ to: '/sign-in', search: {}, ignoreGuard: true })
    } catch {
      showToast('You are still signed in: the server did not answer. Try again.', 'bad')
    }
  }
  return (
    <div className={styles.person}>
      <Initials name={member.name} />
      <span className="cut">{member.name}</span>
      <span className="three t11">{membership.role}</span>
      <span className="end">
        <Button
          kind="quiet"
          icon="out"
          aria-label="Sign out"
          title="Sign out"
          onClick={() => void signOut()}
        />
      </span>
    </div>
  )
}
