import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agency, CutAgencyLink } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { agenciesQuery } from '../../../queries/agencies.ts'
import { useScope } from '../../../shell/scope.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { CutDialog, RemainsDialog } from './cut-dialog.tsx'

type Open =
  | { kind: 'accept' }
  | { kind: 'cut'; agency: Agency }
  | { kind: 'remains'; name: string; cut: CutAgencyLink }

const columns = [
  { name: 'Agency' },
  { name: 'Linked', width: 128, optional: true },
  { name: 'Actions', width: 128, phoneWidth: 120, isHidden: true },
]

/** The agencies that act for the organization. Owners accept their invitations, and cut them off. */
export function Agencies() {
  const scope = useScope()
  const { membership } = scope
  const [open, setOpen] = useState<Open | null>(null)
  const agencies = useQuery(agenciesQuery(scope))
  const isOwner =
    membership.via === 'member' && membership.role === 'owner' && membership.permissions === null
  const close = () => setOpen(null)
  return (
    <Section
      title="Agencies"
      about="An agency acts on this organization for you, with its own people and programs."
      act={isOwner && <Button onClick={() => setOpen({ kind: 'accept' })}>Accept an invitation</Button>}
    >
      <Loaded query={agencies} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <SectionBody>
              <p className="three">No agency acts on this organization.</p>
            </SectionBody>
          ) : (
            <div className="rule">
              <Table label="Agencies" columns={columns} hasControls={isOwner}>
                {data.map((agency) => (
                  <tr key={agency.org_id}>
                    <th scope="row" title={agency.name}>
                      {agency.name}
                    </th>
                    <td className="opt">
                      <Time at={agency.linked_at} />
                    </td>
                    <td>
                      {isOwner && (
                        <RowActions>
                          <Button
                            kind="quiet"
                            danger
                            aria-label={`Cut the link to ${agency.name}`}
                            onClick={() => setOpen({ kind: 'cut', agency })}
                          >
                            Cut the link
                          </Button>
                        </RowActions>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {open?.kind === 'accept' && (
        <AcceptDialog
          onClose={close}
          onAccepted={({ name }) => {
            close()
            showToast(`${name} can act on this organization now.`)
            void agencies.refetch()
          }}
        />
      )}
      {open?.kind === 'cut' && (
        <CutDialog
          agency={open.agency}
          onClose={close}
          onCut={(cut) => {
            const { name } = open.agency
            void agencies.refetch()
            if (cut === null) {
              close()
              // An error, so that it stays: the person may have wanted to delete the keys, too.
              showToast(
                `The link to ${name} was already cut. No API key is deleted now. The page API marks the keys that an agency made.`,
                'bad',
              )
              return
            }
            const remains = cut.api_keys.length + cut.members.length > 0
            setOpen(remains ? { kind: 'remains', name, cut } : null)
            const revoked = cut.revoked_api_keys.length
            const keys =
              revoked === 0 ? '' : ` ${revoked} API ${revoked === 1 ? 'key is' : 'keys are'} deleted.`
            showToast(`${name} can no longer act on this organization.${keys}`)
          }}
        />
      )}
      {open?.kind === 'remains' && <RemainsDialog name={open.name} cut={open.cut} onClose={close} />}
    </Section>
  )
}
