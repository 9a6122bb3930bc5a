import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { IdentifiedVisitor, VisitorClaim, VisitorLink } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Section } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

const columns = [
  { name: 'Person' },
  { name: 'Contact', width: 170, phoneWidth: 90 },
  { name: 'Since', width: 130, optional: true },
  { name: 'Until', width: 130, optional: true },
  { name: 'Actions', width: 150, phoneWidth: 130, isHidden: true },
]

type Asked = { act: 'accept' | 'undo'; id: string; person: string }

/** The people to whom the visitor is linked, and those whom it only claims to be. */
export function Identity({
  visitor,
  contactNames,
}: {
  visitor: IdentifiedVisitor
  contactNames: ReadonlyMap<string, string>
}) {
  const { can } = useScope()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { links, claims } = visitor
  if (links.length + claims.length === 0) return null
  const mayUndo = can('visitors:write')
  const mayAccept = mayUndo && can('contacts:write')
  const personOf = ({ user_key: user, email }: VisitorLink | VisitorClaim) =>
    (user && contactNames.get(user)) ?? user ?? email ?? 'somebody'
  const contactsOf = ({ user_key: user, contact_ids: ids }: VisitorLink | VisitorClaim) =>
    ids.length === 0 && user && contactNames.has(user) ? [user] : ids
  const undo = (id: string, person: string) =>
    mayUndo && (
      <Button
        kind="quiet"
        aria-label={`Undo: ${person}`}
        onClick={() => setAsked({ act: 'undo', id, person })}
      >
        Undo
      </Button>
    )
  return (
    <Section
      title="Who it is"
      about="Your server or a person confirmed a link. A claim is only what the page said, and changes no contact."
    >
      <Table label="Who it is" columns={columns}>
        {links.map((link) => (
          <PersonRow
            key={link.link_id}
            words="is"
            named={link}
            person={personOf(link)}
            contactIds={contactsOf(link)}
            tag={link.trust}
          >
            {undo(link.link_id, personOf(link))}
          </PersonRow>
        ))}
        {claims.map((claim) => (
          <PersonRow
            key={claim.claim_id}
            words="claims to be"
            named={claim}
            person={personOf(claim)}
            contactIds={contactsOf(claim)}
            tag="claimed"
          >
            {mayAccept && (
              <Button
                aria-label={`Accept: ${personOf(claim)}`}
                onClick={() => setAsked({ act: 'accept', id: claim.claim_id, person: personOf(claim) })}
              >
                Accept
              </Button>
            )}
            {undo(claim.claim_id, personOf(claim))}
          </PersonRow>
        ))}
      </Table>
      {asked && <Answer visitor={visitor} asked={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

function PersonRow({
  words,
  named: { email, since, until },
  person,
  contactIds,
  tag,
  children,
}: {
  words: string
  named: VisitorLink | VisitorClaim
  person: string
  contactIds: readonly string[]
  tag: string
  children: ReactNode
}) {
  const { orgId } = useScope()
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          <span className="cut">
            <span className="two">{words}</span> {person}
            {email !== null && email !== person && <span className="three"> {email}</span>}
          </span>
          <span className="opt">
            <Tag>{tag}</Tag>
          </span>
        </span>
      </th>
      <td>
        {contactIds.length === 1 && contactIds[0] ? (
          <Link
            to="/o/$orgId/people/$recordId"
            params={{ orgId, recordId: contactIds[0] }}
            className="link"
            aria-label={`Open ${person}`}
          >
            Open
          </Link>
        ) : (
          <span className="three">{contactIds.length === 0 ? 'none' : `${contactIds.length} contacts`}</span>
        )}
      </td>
      <td className="opt">
        <Time at={since} />
      </td>
      <td className="opt">{until === null ? <span className="three">now</span> : <Time at={until} />}</td>
      <td>
        <span className="rail end">{children}</span>
      </td>
    </tr>
  )
}

function Answer({
  visitor: { visitor_id: visitorId, own_contact_id: own },
  asked: { act, id, person },
  onClose,
}: {
  visitor: IdentifiedVisitor
  asked: Asked
  onClose: () => void
}) {
  const { orgId, mode, api } = useScope()
  const queries = useQueryClient()
  const isAccept = act === 'accept'
  return (
    <Confirmation
      title={isAccept ? `Is this visitor ${person}?` : `Undo “${person}” for this visitor?`}
      act={isAccept ? 'Accept' : 'Undo'}
      isSafe
      work={() =>
        isAccept
          ? api.visitors.claims.accept(visitorId, { claim_id: id }, { mode })
          : api.visitors.links.undo(visitorId, id, { mode })
      }
      onClose={onClose}
      onDone={() => {
        onClose()
        showToast(isAccept ? 'The visitor is linked.' : 'The visitor is no longer linked to this person.')
        void queries.invalidateQueries({ queryKey: ['visitor', orgId] })
      }}
    >
      <p>
        {isAccept
          ? own === null
            ? 'The events of the visitor then belong to this person. You can undo the link.'
            : 'The events of the visitor then belong to this person, and the contact that the visitor made is merged into the contact of the person. You can undo both.'
          : 'The events of the visitor then no longer belong to this person. Merges of contacts stay. If the person identifies again, the visitor is linked again.'}
      </p>
    </Confirmation>
  )
}
