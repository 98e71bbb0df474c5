import React, { useState } from 'react';
import './button.css';

export default function Button({ label, onClick }) {
  const [count, setCount] = useState(0);
  return (
    <div className="wrap">
      <button type="button" onClick={() => setCount(count + 1)}>
        {label} {count}
      </button>
      <Icon name="plus" />
    </div>
  );
}
