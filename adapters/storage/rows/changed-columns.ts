/**
 * The columns in which two states of a row differ. An update that names a column writes every index which has that column, also
 * where its value stays.
 */
export function changedColumns<Row extends object>(before: Row, after: Row): Partial<Row> {
  const changed: Partial<Row> = {}
  for (const column in after) if (after[column] !== before[column]) changed[column] = after[column]
  return changed
}
