import { tick } from '../core/clock';
import type { ModelReference } from '../core/node';
import type { ChatControls, ToolPolicies } from '../core/tool';
import type { JackdawDatabase, SideField, SideRow, SideValues } from './db';
import { noteChanges } from './outbox-rows';
import type { Stamp } from './stamp';

export interface SideWrite<Field extends SideField> {
  readonly targetId: string;
  readonly field: Field;
  readonly conversationId: string;
  readonly value: SideValues[Field];
}

/** Writes a side field with the next reading of its clock. Runs in the caller's transaction over `sides` and `outbox`. */
export async function putSide<Field extends SideField>(database: JackdawDatabase, side: SideWrite<Field>, stamp: Stamp): Promise<void> {
  const { targetId, field, conversationId, value } = side;
  const previous = await database.sides.get([targetId, field]);
  const clock = tick(previous?.clock, stamp.at, stamp.device);
  await database.sides.put({ targetId, field, conversationId, clock, body: { value } });
  await noteChanges(database, [sideChange(side, 'put')], stamp.at);
}

/** Removes a side field. Runs in the caller's transaction over `sides` and `outbox`. */
export async function removeSide(database: JackdawDatabase, side: Omit<SideWrite<SideField>, 'value'>, at: number): Promise<void> {
  await database.sides.delete([side.targetId, side.field]);
  await noteChanges(database, [sideChange(side, 'delete')], at);
}

/** All remembered choices of a conversation: a parent's id (`''` for the root) to the chosen child's. */
export async function selectionOf(database: JackdawDatabase, conversationId: string): Promise<Map<string, string>> {
  const rows = await database.sides.where('[conversationId+field]').equals([conversationId, 'selection']).toArray();
  const selection = new Map<string, string>();
  for (const row of rows) {
    const value = row.body.value;
    if (typeof value === 'string') selection.set(row.targetId === conversationId ? '' : row.targetId, value);
  }
  return selection;
}

/** The title in a side row, or null. */
export function titleOf(row: SideRow | undefined): SideValues['title'] | null {
  const value = row?.body.value;
  return typeof value === 'object' && 'text' in value ? value : null;
}

/** The model in a side row, or null. */
export function modelOf(row: SideRow | undefined): ModelReference | null {
  const value = row?.body.value;
  return typeof value === 'object' && 'modelId' in value ? value : null;
}

/** Mode and switches in a side row, or null. */
export function controlsOf(row: SideRow | undefined): ChatControls | null {
  const value = row?.body.value;
  return typeof value === 'object' && 'mode' in value ? value : null;
}

/** Decisions about tools in a side row; none where there is no row. */
export function toolPoliciesOf(row: SideRow | undefined): ToolPolicies {
  const value = row?.body.value;
  return typeof value === 'object' && 'tools' in value ? value.tools : {};
}

function sideChange(side: Omit<SideWrite<SideField>, 'value'>, change: 'put' | 'delete') {
  return { entity: 'side', id: `${side.targetId}:${side.field}`, conversationId: side.conversationId, change } as const;
}
