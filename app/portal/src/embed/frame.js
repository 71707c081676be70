// Within a frame in a shop's page: tells that page how high this one is and where the shopper is, and hears from it what the
// order is and which part of the frame can be seen. public/embed.js is the other end.
(() => {
  const { origins, home } = document.currentScript.dataset;
  if (parent === window) return;
  // Who may show this page is who may hear of it; where the browser tells who that is, nobody else is tried.
  const [above] = location.ancestorOrigins ?? [];
  const targets = origins.split(' ').filter((origin) => !above || origin === above);
  const tell = (type, data) => targets.forEach((origin) => parent.postMessage({ type: `retour:${type}`, ...data }, origin));

  const [page, returnOrderId] = location.pathname.slice(home.length).split('/').filter(Boolean);
  const steps = { purchases: 'choose', review: 'review', returns: returnOrderId ? 'return' : 'returns', pay: 'pay', withdraw: 'withdraw' };
  const step = page ? steps[page] : 'look-up';
  const cameFrom = document.referrer && new URL(document.referrer).pathname.slice(home.length);
  const [visit] = performance.getEntriesByType('navigation');

  // A browser that keeps no cookie of ours in a frame has the order looked up in a tab of its own.
  if (step === 'look-up' && !/(^|; )retour-probe=/.test(document.cookie)) {
    document.querySelector('form.lookup')?.setAttribute('target', '_blank');
    document.querySelector('.own-tab')?.removeAttribute('hidden');
  }

  const height = () => tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) });
  const slide = (part, by) => part && (part.style.transform = by ? `translateY(${by}px)` : '');
  const heard = {
    fit() {
      document.documentElement.classList.add('fitted');
      height();
      new ResizeObserver(height).observe(document.body);
    },
    order({ orderNumber, email, postalCode }) {
      const fill = (field, text) => field && text && !field.value && (field.value = String(text).slice(0, 320));
      const proof = document.querySelector('#proof');
      fill(document.querySelector('#order'), orderNumber);
      fill(proof, { email, postalCode }[proof?.name] ?? email ?? postalCode);
    },
    // What stays in view elsewhere does so here as well, though it is the shop's page that scrolls.
    view({ above, below }) {
      const bar = document.querySelector('.bar');
      const foot = document.querySelector('.foot')?.offsetHeight ?? 0; // it lies below the bar
      slide(bar, -Math.min(Math.max(0, below - foot), Math.max(0, (bar?.offsetTop ?? 0) - 80)));
      const stay = document.querySelector('.stay');
      if (!stay || getComputedStyle(stay).position !== 'relative') return slide(stay, 0);
      const room = stay.parentElement.clientHeight - stay.offsetHeight;
      slide(stay, Math.min(Math.max(0, above + 16 - stay.parentElement.offsetTop), Math.max(0, room)));
    },
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !targets.includes(origin) || typeof data?.type !== 'string') return;
    const [, type] = data.type.split('retour:');
    if (Object.hasOwn(heard, type ?? '')) heard[type](data);
  });
  // Not what a mouse is pressing on: if that moved away below it, the click would be lost.
  addEventListener('focusin', ({ target }) => {
    if (!target.matches(':focus-visible')) return;
    const { top, bottom } = target.getBoundingClientRect();
    tell('focus', { top, bottom });
  });

  tell('step', { step, returnOrderId });
  const isSent = step === 'return' && /^\/(review|pay\/)/.test(cameFrom) && visit?.type === 'navigate';
  if (isSent) tell('completed', { returnOrderId });
})();
