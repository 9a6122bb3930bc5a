import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { IdentifiedVisitor } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Fact, Facts } from '../../../parts/facts.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count } from '../../../parts/numbers.ts'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useParams } from '../../../routing/use-router.ts'
import { Page } from '../../../shell/page.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { Identity } from './identity.tsx'
import { Sessions } from './sessions.tsx'
import { Timeline } from './timeline.tsx'
import { useContactNames } from './use-contact-names.ts'
import { nameOf, sourceWords } from './words.ts'

/** Shows one visitor: who it is, its sessions and its events. */
export function VisitorPage() {
  const { orgId, mode, api } = useScope()
  const { visitorId } = useParams('/o/$orgId/visitors/$visitorId')
  const visitor = useQuery({
    queryKey: ['visitor', orgId, mode, visitorId],
    queryFn: ({ signal }) => api.visitors.get(visitorId, { mode }, { signal }),
  })
  const userIds = useMemo(() => {
    const { user_key = null, links = [], claims = [] } = visitor.data ?? {}
    return [user_key, ...[...links, ...claims].map((person) => person.user_key)]
  }, [visitor.data])
  const contactNames = useContactNames(userIds)
  return (
    <Page name="Visitors" {...(visitor.data && { part: nameOf(visitor.data, contactNames) })}>
      <Loaded query={visitor}>
        {(found) => <Found key={found.visitor_id} visitor={found} contactNames={contactNames} />}
      </Loaded>
    </Page>
  )
}

function Found({
  visitor,
  contactNames,
}: {
  visitor: IdentifiedVisitor
  contactNames: ReadonlyMap<string, string>
}) {
  const { orgId, api, can } = useScope()
  const [isErasing, setErasing] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = { to: '/o/$orgId/visitors', params: { orgId } } as const
  const { visitor_id: visitorId, user_key, user_trust, ads_denied_at } = visitor
  return (
    <>
      <div className="pad stack g12">
        <div className="rail wrap">
          <p className="t12 grow">
            <Link {...list} className="link">
              All visitors
            </Link>
          </p>
          {can('visitors:write') && (
            <Button kind="quiet" danger onClick={() => setErasing(true)}>
              Erase
            </Button>
          )}
        </div>
        <div className="rail">
          <h2 className="t16 cut">{nameOf(visitor, contactNames)}</h2>
          {user_trust === 'claimed' && <Tag>claimed</Tag>}
        </div>
        <Facts>
          <Fact name="User id">{user_key ?? <span className="three">not known</span>}</Fact>
          <Fact name="First seen">
            <Time at={visitor.first_seen_at} />
          </Fact>
          <Fact name="Last seen">
            <Time at={visitor.last_seen_at} />
          </Fact>
          <Fact name="Views">{count(visitor.views)}</Fact>
          <Fact name="Events">{count(visitor.events)}</Fact>
          <Fact name="Came from at first">{sourceWords(visitor.first_source)}</Fact>
          <Fact name="Came from last">{sourceWords(visitor.last_source)}</Fact>
          <Fact name="Refused advertising">
            <Time at={ads_denied_at} />
          </Fact>
          <Fact name="Visitor id" wide>
            <span className="mono cut">{visitorId}</span>
            <CopyButton text={visitorId} />
          </Fact>
        </Facts>
      </div>
      <Identity visitor={visitor} contactNames={contactNames} />
      <Sessions visitorId={visitorId} />
      <Timeline visitorId={visitorId} />
      {isErasing && (
        <Confirmation
          title="Erase this visitor?"
          act="Erase"
          work={() => api.visitors.erase(visitorId)}
          onClose={() => setErasing(false)}
          onDone={() => {
            setErasing(false)
            showToast('The visitor was erased.')
            void queries.invalidateQueries({ queryKey: ['visitors', orgId] })
            void navigate(list)
          }}
        >
          <p>
            All events of this visitor are deleted, in live and in test mode. They cannot come back. Events
            that happen later make a new visitor.
          </p>
        </Confirmation>
      )}
    </>
  )
}
