export function createStore(options) {
  // [caveman: lines 2-9]
  const notify = (change) => {
    // [caveman: lines 11-21]
  };
  // [caveman: lines 23-36]
}
[caveman: 33 of 37 lines of JavaScript elided; caveman_retrieve("ccr_22cf0de9d2f42bb1f80799c3eba9688a")]
