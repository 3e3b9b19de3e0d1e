//! Arrays of NumPy that Rust fills, and arrays of actions that it reads.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

/// Bytes that a processor reads and writes at once.
const LINE: usize = 64;

/// The type of an array's values.
#[derive(Clone, Copy)]
pub enum Form {
    Bool,
    U8,
    I32,
    F32,
}

/// An array that stays the same while its values change.
pub struct Buffer {
    array: Py<PyAny>,
    form: Form,
    len: usize,
}

impl Buffer {
    /// Zeros. Threads fill parts of an array, and share no line of memory where it begins with one.
    pub fn new(py: Python, shape: &[usize], form: Form) -> PyResult<Buffer> {
        let (name, size) = match form {
            Form::Bool => ("bool", 1),
            Form::U8 => ("uint8", 1),
            Form::I32 => ("int32", 4),
            Form::F32 => ("float32", 4),
        };
        let len = shape.iter().product::<usize>();
        let room = py.import("numpy")?.call_method1("zeros", (len * size + LINE, "uint8"))?;
        let place = room.getattr("__array_interface__")?.get_item("data")?.get_item(0)?;
        let place: usize = place.extract()?;
        let first = place.next_multiple_of(LINE) - place;
        let bytes =
            room.get_item(PySlice::new(py, first as isize, (first + len * size) as isize, 1))?;
        let array =
            bytes.call_method1("view", (name,))?.call_method1("reshape", (shape.to_vec(),))?;
        Ok(Buffer { array: array.unbind(), form, len })
    }

    pub fn object(&self, py: Python) -> Py<PyAny> {
        self.array.clone_ref(py)
    }

    /// Its values as bytes; those of booleans are 0 and 1.
    ///
    /// # Safety
    ///
    /// Nobody else may fill the array meanwhile.
    pub unsafe fn bytes<'a>(&self, py: Python) -> PyResult<&'a mut [u8]> {
        match self.form {
            // SAFETY: a boolean is a byte, and the caller writes 0 and 1 only.
            Form::Bool => unsafe {
                let values = self.values::<bool>(py)?;
                Ok(std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()))
            },
            // SAFETY: as the caller promises.
            _ => unsafe { self.values::<u8>(py) },
        }
    }

    /// Its values.
    ///
    /// # Safety
    ///
    /// Nobody else may fill the array meanwhile.
    pub unsafe fn values<'a, T: numpy::Element>(&self, py: Python) -> PyResult<&'a mut [T]> {
        let array = self.array.bind(py).cast::<PyArrayDyn<T>>();
        let array = array.map_err(|_| PyRuntimeError::new_err("an array changed its type"))?;
        if array.len() != self.len || !array.is_c_contiguous() {
            return Err(PyRuntimeError::new_err("an array of the environment changed its shape"));
        }
        if self.len == 0 {
            return Ok(&mut []);
        }
        // SAFETY: the array has so many values one after the other, and lives as long as the environment, which its
        // caller borrows.
        Ok(unsafe { std::slice::from_raw_parts_mut(array.data(), self.len) })
    }
}

/// Actions as an array of whole numbers of a shape.
pub fn actions_of<'py>(
    given: &Bound<'py, PyAny>,
    shape: Vec<usize>,
) -> PyResult<PyReadonlyArrayDyn<'py, i32>> {
    let array = match given.extract::<PyReadonlyArrayDyn<i32>>() {
        Ok(array) if array.is_c_contiguous() => array,
        _ => whole_numbers(given)?,
    };
    match array.shape() == shape {
        true => Ok(array),
        false => Err(PyValueError::new_err(format!(
            "actions have the shape {:?}, but {shape:?} is needed",
            array.shape()
        ))),
    }
}

fn whole_numbers<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, i32>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u"].contains(&kind.as_str()) {
        return Err(PyTypeError::new_err("actions are whole numbers"));
    }
    let wide = numpy.call_method1("clip", (&array, -1, i32::MAX))?;
    let array = numpy.call_method1("ascontiguousarray", (wide, "int32"))?;
    Ok(array.extract()?)
}
