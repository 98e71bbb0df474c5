import { useEffect, useState } from 'react';

interface Props {
  id: string;
  onDone: () => void;
}

export function Page({ id, onDone }: Props) {
  const [items, setItems] = useState<Item[]>([]);
  useEffect(() => { load(id).then(setItems); }, [id]);
  return (
    <Layout title="Cart">
      {items.map((i: Item) => <Row key={i.id} item={i} />)}
      <button className="done" onClick={onDone}>Done</button>
    </Layout>
  );
}
