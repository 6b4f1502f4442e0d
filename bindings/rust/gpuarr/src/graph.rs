//! Graphs: work of a stream, noted once and launched again and again.
use std::ptr;

use gpuarr_sys as sys;

use crate::error::{check, number, object, Result};
use crate::handle::handle;
use crate::stream::Stream;

handle!(
    /// Work that [`Stream::capture`] noted. It keeps the memory and the code that it uses, also of
    /// arrays and kernels that are dropped.
    ///
    /// ```
    /// use gpuarr::{args, Array, Device, Elementwise, Stream};
    /// # fn main() -> gpuarr::Result<()> {
    /// let add = Elementwise::new("T x", "T x", "x += 1;")?;
    /// let x = Array::<i32>::zeros(3)?;
    /// let stream = Stream::new(x.device())?;
    /// let graph = stream.capture(|| add.call_into(args![&x], &mut x.clone()))?;
    /// let exec = graph.instantiate()?;
    /// for _ in 0..10 {
    ///     exec.launch_on(&stream)?;
    /// }
    /// stream.synchronize()?;
    /// assert_eq!(x.to_vec()?, [10; 3]);
    /// # Ok(())
    /// # }
    /// ```
    Graph,
    gpuarr_graph,
    gpuarr_graph_release
);

handle!(
    /// A graph ready to be launched; it does not need the graph any more.
    GraphExec,
    gpuarr_graph_exec,
    gpuarr_graph_exec_release
);

// graph.h: "@externalsync calls with the same graph", and "... with the same exec": they may go to
// another thread, and are not for two at a time: not Sync, and no Clone.
unsafe impl Send for Graph {}
unsafe impl Send for GraphExec {}

impl Graph {
    /// How many kernels, copies, fills and functions it has. Devices may count differently.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn nodes(&self) -> Result<i64> {
        number(|out| unsafe { sys::gpuarr_graph_nodes(out, self.as_ptr()) })
    }

    /// Creates an executable graph.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn instantiate(&self) -> Result<GraphExec> {
        object(|out| unsafe { sys::gpuarr_graph_instantiate(out, self.as_ptr()) })
            .map(GraphExec::own)
    }
}

impl GraphExec {
    /// Launches the graph's work, in the thread's current stream of its device, after
    /// earlier launches.
    ///
    /// # Errors
    /// `DRIVER`; on the CPU device also what the calls of the graph return.
    pub fn launch(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_graph_exec_launch(self.as_ptr(), ptr::null_mut()) })
    }

    /// Launches the graph's work, in a stream of its device.
    ///
    /// # Errors
    /// As [`GraphExec::launch`], and `DEVICE`.
    pub fn launch_on(&self, stream: &Stream) -> Result<()> {
        check(unsafe { sys::gpuarr_graph_exec_launch(self.as_ptr(), stream.as_ptr()) })
    }

    /// Takes the arrays and numbers of another graph of the same calls for later launches, which is
    /// cheaper than another [`Graph::instantiate`].
    ///
    /// # Errors
    /// `ARGUMENT` if the graph is of other calls; this one is as it was then. `DEVICE`, `DRIVER`.
    pub fn update(&self, graph: &Graph) -> Result<()> {
        check(unsafe { sys::gpuarr_graph_exec_update(self.as_ptr(), graph.as_ptr()) })
    }
}
