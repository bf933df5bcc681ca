/** Rows of a list, and their total number. */
type ListPage<Item> = { items: Item[]; total: number };

const pageRows = 100;

/** All rows of a list that is read a hundred at a time. `read` returns at most `limit` rows after `skip`. */
export async function allPages<Item>(
  read: (paging: { skip: number; limit: number }) => Promise<ListPage<Item>>,
): Promise<ListPage<Item>> {
  const items: Item[] = [];
  for (;;) {
    const page = await read({ skip: items.length, limit: pageRows });
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.total) return { items, total: items.length };
  }
}
