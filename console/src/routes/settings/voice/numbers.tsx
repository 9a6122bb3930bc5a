import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VoiceNumber } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { NumberDialog } from '../../../parts/number-dialog.tsx'
import { phoneWords } from '../../../parts/phone-number.ts'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { numbersQuery } from '../../../queries/voice-numbers.ts'
import { useScope } from '../../../shell/scope.tsx'

const columns = [
  { name: 'Number' },
  { name: 'Label', phoneWidth: 110 },
  { name: 'Id at the provider', width: 200, optional: true },
  { name: 'Added', width: 140, optional: true },
  { name: 'Actions', width: 110, phoneWidth: 90, isHidden: true },
]

/** The numbers from which the organization calls. */
export function Numbers() {
  const scope = useScope()
  const { api, can } = scope
  const [open, setOpen] = useState<VoiceNumber | 'new' | null>(null)
  const numbers = useQuery(numbersQuery(scope))
  const mayChange = can('voice:manage')
  const close = () => setOpen(null)
  const changed = (text: string) => {
    close()
    showToast(text)
    void numbers.refetch()
  }
  return (
    <Section
      title="Your numbers"
      about="People see the number that calls them. Rent numbers from your provider first."
      act={mayChange && <Button onClick={() => setOpen('new')}>Add a number</Button>}
    >
      <Loaded query={numbers} rows={2}>
        {(found) =>
          found.length === 0 ? (
            <SectionBody>
              <p className="two">There is no number yet. The first call needs one.</p>
            </SectionBody>
          ) : (
            <Table label="Your numbers" columns={columns} hasControls={mayChange}>
              {found.map((one) => (
                <tr key={one.number_id}>
                  <th scope="row">{phoneWords(one.number)}</th>
                  <td>{one.label ?? <span className="three">–</span>}</td>
                  <td className="opt">{one.provider_ref ?? <span className="three">–</span>}</td>
                  <td className="opt">
                    <Time at={one.created_at} />
                  </td>
                  <td>
                    {mayChange && (
                      <RowActions>
                        <Button
                          kind="quiet"
                          danger
                          aria-label={`Remove ${phoneWords(one.number)}`}
                          onClick={() => setOpen(one)}
                        >
                          Remove
                        </Button>
                      </RowActions>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {open === 'new' && <AddDialog onClose={close} onAdded={() => changed('The number is added.')} />}
      {open !== null && open !== 'new' && (
        <Confirmation
          title={`Remove ${phoneWords(open.number)}?`}
          act="Remove number"
          work={() => api.voice.numbers.delete(open.number_id)}
          onClose={close}
          onDone={() => changed(`${phoneWords(open.number)} is removed.`)}
        >
          <p>New calls cannot come from it. Earlier calls still show it.</p>
        </Confirmation>
      )}
    </Section>
  )
}

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { api } = useScope()
  const [reference, setReference] = useState('')
  return (
    <NumberDialog
      title="Add a number"
      placeholder="+1 415 555 0100"
      about={{ name: 'label', label: 'Label (optional)', placeholder: 'Front desk' }}
      places={['provider_ref']}
      work={async (number, label) =>
        api.voice.numbers.create({ number, label: label || null, provider_ref: reference || null })
      }
      onDone={onAdded}
      onClose={onClose}
    >
      {(errorAt) => (
        <TextField
          label="Id at the provider (optional)"
          value={reference}
          onChange={setReference}
          error={errorAt('provider_ref')}
          hint="Only for Vapi: the phone number id there, if it differs from that of the provider settings."
        />
      )}
    </NumberDialog>
  )
}
