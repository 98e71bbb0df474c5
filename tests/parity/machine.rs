//! The shipped artifact under wasmtime, called as its JavaScript glue calls it.

use crate::door::{Argument, Door};
use std::path::Path;
use std::sync::OnceLock;
use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc, Val, ValType};

/// The artifact that `CAVEMAN_TEST_WASM` names, else the one of this tree, built if it is not up to date; compiled once.
#[expect(clippy::disallowed_methods, reason = "which file is tested comes through the environment")]
pub(crate) fn module() -> &'static Module {
    static MODULE: OnceLock<Module> = OnceLock::new();
    MODULE.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let named = std::env::var_os("CAVEMAN_TEST_WASM").map(|path| root.join(path));
        let artifact =
            named.unwrap_or_else(|| caveman_wasm_build::build().expect("the wasm artifact builds"));
        let engine = Engine::default();
        Module::from_file(&engine, artifact).expect("the artifact is a valid module")
    })
}

/// One instance. A new one takes the place of one that trapped.
pub(crate) struct Machine {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    allocate: TypedFunc<(i32, i32), i32>,
    free: TypedFunc<(i32, i32, i32), ()>,
}

impl Machine {
    /// A fresh instance, started.
    pub(crate) fn new() -> Machine {
        let module = module();
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, module, &[]).expect("the module needs no imports");
        let memory = instance.get_memory(&mut store, "memory").expect("the memory is exported");
        let allocate = instance.get_typed_func(&mut store, "__wbindgen_malloc").expect("malloc");
        let free = instance.get_typed_func(&mut store, "__wbindgen_free").expect("free");
        if let Ok(start) = instance.get_typed_func::<(), ()>(&mut store, "__wbindgen_start") {
            start.call(&mut store, ()).expect("the module starts");
        }
        Machine { store, instance, memory, allocate, free }
    }

    fn try_call(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<u8>, String> {
        let function = self.instance.get_func(&mut self.store, name);
        let function = function.unwrap_or_else(|| panic!("{name} is not exported"));
        let results: Vec<ValType> = function.ty(&self.store).results().collect();
        let mut lowered = Vec::new();
        for argument in arguments {
            match argument {
                // The callee frees what it is given.
                Argument::Bytes(bytes) => lowered.extend(self.give(bytes)),
                Argument::Text(text) => lowered.extend(self.give(text.as_bytes())),
                Argument::Number(number) => lowered.push(Val::F64(number.to_bits())),
                Argument::Index(index) => lowered.push(Val::I32(index.cast_signed())),
                Argument::Wild => lowered.extend([Val::I32(i32::MAX - 64), Val::I32(64)]),
            }
        }
        let mut out = vec![Val::I32(0); results.len()];
        let called = function.call(&mut self.store, &lowered, &mut out);
        called.map_err(|trap| format!("{trap:?}"))?;
        Ok(match out[..] {
            [] => Vec::new(),
            [Val::F64(bits)] => bits.to_le_bytes().to_vec(),
            [Val::I32(at), Val::I32(n)] => self.take(at, n),
            _ => panic!("{name} gives {results:?}"),
        })
    }

    fn give(&mut self, bytes: &[u8]) -> [Val; 2] {
        let n = i32::try_from(bytes.len()).expect("a payload of less than 2 GiB");
        let at = self.allocate.call(&mut self.store, (n, 1)).expect("malloc does not trap");
        let start = at.cast_unsigned() as usize;
        self.memory.data_mut(&mut self.store)[start..start + bytes.len()].copy_from_slice(bytes);
        [Val::I32(at), Val::I32(n)]
    }

    fn take(&mut self, at: i32, n: i32) -> Vec<u8> {
        let start = at.cast_unsigned() as usize;
        let end = start + n.cast_unsigned() as usize;
        let bytes = self.memory.data(&self.store)[start..end].to_vec();
        self.free.call(&mut self.store, (at, n, 1)).expect("free does not trap");
        bytes
    }
}

impl Door for Machine {
    fn call(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<u8>, String> {
        let outcome = self.try_call(name, arguments);
        if outcome.is_err() {
            let place = self.try_call("lastPanic", &[]).unwrap_or_default();
            *self = Machine::new();
            return outcome.map_err(|trap| format!("{} {trap}", String::from_utf8_lossy(&place)));
        }
        outcome
    }
}
